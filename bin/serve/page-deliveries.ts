// The deliveries that a page sends: valid ones, forgeries of the catalogue, and requests that arrived, again.
import { CaseErrored, HttpClient, type Access } from '../../harness/service-calls.js'
import { ownScheme, type SignatureScheme } from '../../harness/schemes/index.js'
import { Delivery } from '../../harness/signing.js'
import type { ForgeryKind, SendAnswer, SendRequest, SentByPage } from '../../pages/data.js'
import type { Forger } from '../../reference/server/index.js'
import { forgeries, reasonToSkip } from '../../suites/shared/forgeries/index.js'
import { idOf, inTwo, linesOf, signedNow, type Lines } from '../cli/recorded-delivery.js'
import { newMark, sampleNamed, sampleNames } from '../cli/signed-delivery.js'

/** Longest wait for an answer, in milliseconds: by then a sender has given up the attempt. */
const answersWithinMs = 15_000

/** Where the page sends. */
export interface PageEndpoint {
  readonly url: string
  /** The address in the signature, for schemes that sign it (default: the url). */
  readonly signedUrl?: string
  readonly access?: Access
}

/** How the page signs. */
export interface PageSigner {
  readonly secret: string
  /** Default: the signature of the interface. */
  readonly scheme: SignatureScheme | undefined
}

/** A request that the page can send. */
interface Outgoing extends SentByPage {
  readonly lines: Lines
}

/** The forgeries that a scheme has room for, without those that differ in a count alone. */
export function forgeryKinds(scheme: SignatureScheme = ownScheme): readonly ForgeryKind[] {
  return forgeries
    .filter((forgery) => forgery.isDense === undefined && reasonToSkip(forgery, scheme) === undefined)
    .map(({ name, title, group, expected }) => ({ name, title, group, expected }))
}

/** What the page of the reference server needs to forge its deliveries. */
export function serverForger(): Forger {
  return {
    kinds: forgeryKinds(),
    make(name, { id, timestamp, secret, body }) {
      const good = new Delivery({ id, timestamp, secret, body: Buffer.from(body) })
      const bad = forgeries.find((forgery) => forgery.name === name)?.make(good)
      return bad === undefined ? undefined : { headers: bad.headers, body: bad.fields.body }
    },
  }
}

/** Makes the request that a page wants; `kept` is the arrived request of its number. Returns a text for a request that cannot be made. */
export function outgoingOf(
  wanted: SendRequest,
  kept: Lines | undefined,
  { signer, url }: { readonly signer: PageSigner | undefined; readonly url: string },
): Outgoing | string {
  if (wanted.number !== undefined && kept === undefined) return `request ${wanted.number} is not kept, or has no body`
  const from = kept === undefined ? '' : `request ${wanted.number ?? ''}, `
  if (wanted.isAsIs === true)
    return kept === undefined ? 'a new event is signed now' : { title: `${from}sent again as it was`, lines: kept }
  if (signer === undefined) return 'nothing can be signed without a secret: start it with --secret <secret>'
  const good = kept === undefined ? sampleDelivery(wanted.event, { signer, url }) : resigned(kept, { signer, url })
  if (typeof good === 'string') return good
  if (wanted.forgery === undefined) {
    const title = kept === undefined ? `a valid ${wanted.event ?? ''}` : `${from}signed now`
    return { title, expected: 'accepted', lines: linesOf(good, kept?.headers ?? []) }
  }
  const forgery = forgeries.find(({ name }) => name === wanted.forgery)
  const bad = forgery?.make(good)
  if (forgery === undefined || bad === undefined) return 'there is no such forgery of this delivery'
  const repeated = Object.entries(bad.repeatedHeaders)
  const lines = { headers: [...Object.entries(bad.headers), ...repeated], body: bad.fields.body }
  return { title: from + forgery.title, expected: forgery.expected, lines }
}

interface Signing {
  readonly signer: PageSigner
  readonly url: string
}

function sampleDelivery(event: string | undefined, { signer: { secret, scheme }, url }: Signing): Delivery | string {
  const name = sampleNames(scheme).find((candidate) => candidate === event)
  if (name === undefined) return 'there is no such event'
  const mark = newMark()
  const [id, now] = [`evt_${mark}`, Math.floor(Date.now() / 1000)]
  const { body, headers } = sampleNamed(name, scheme, { id, now, mark })
  const event_ = { id, timestamp: now, secret, body: Buffer.from(JSON.stringify(body)) }
  const form = { url, ...(scheme === undefined ? {} : { scheme }) }
  return new Delivery(headers === undefined ? event_ : { ...event_, eventHeaders: headers }, form)
}

function resigned(kept: Lines, { signer: { secret, scheme = ownScheme }, url }: Signing): Delivery {
  return signedNow({ scheme, id: idOf(kept, scheme), body: kept.body }, { secret, url })
}

/** Posts it, and resolves to the answer; never rejects. */
export async function post({ url, access = {} }: PageEndpoint, outgoing: Outgoing): Promise<SendAnswer> {
  const { lines, ...sent } = outgoing
  const http = new HttpClient({ access })
  try {
    const { status, failure, durationMs } = await http.send({
      url,
      method: 'POST',
      ...inTwo(lines.headers),
      body: lines.body,
      timeoutMs: answersWithinMs,
      kind: 'receiver',
      statusOnly: true,
    })
    const answer = status === undefined ? { failure: failure ?? 'no answer' } : { status }
    return { ...sent, ...answer, durationMs: Math.round(durationMs) }
  } catch (error) {
    if (error instanceof CaseErrored) return { problem: error.message }
    throw error
  } finally {
    await http.close()
  }
}
