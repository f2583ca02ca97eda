// Requests with which `conformance init` checks whether an answer in its dialogue works. A probe removes everything it makes.
import {
  addressesOfUrl,
  defaultPublicHost,
  defaultRecipient,
  errorOf,
  EventMissing,
  HttpClient,
  runMark,
  sinkRefusal,
  triggerRaiser,
  type Api,
  type Exchange,
  type OrgCursor,
} from '../../harness/service-calls.js'
import { Sink } from '../../harness/webhook-sink.js'
import type { ConfiguredInbox, Trigger } from '../../harness/service/index.js'
import type { EventType } from '../../spec/index.js'

/** The result of a probe, as words that follow the name of the probed thing. */
export interface ProbeResult {
  readonly works: boolean
  readonly text: string
}

export const works = (text: string): ProbeResult => ({ works: true, text })
export const fails = (text: string): ProbeResult => ({ works: false, text })

function answered({ label, status, failure }: Exchange): string {
  return `${label} answered ${status ?? failure ?? 'nothing'}`
}

/** Schedules an email for tomorrow, and cancels it: nothing is sent. */
export async function probeFrom(api: Api, from: string): Promise<ProbeResult> {
  const scheduledAt = new Date(Date.now() + 24 * 3_600_000).toISOString()
  const email = { from, to: defaultRecipient, subject: `Probe x${runMark}x`, text: 'Text', scheduled_at: scheduledAt }
  const sent = await api.sendEmail(email)
  const id = sent.field('id')
  const { code, message } = errorOf(sent)
  if (sent.status === undefined || sent.status >= 300 || typeof id !== 'string')
    return fails(`may not send: ${answered(sent)}${typeof code === 'string' ? `, ${code}: ${String(message)}` : ''}`)
  const cancelled = await api.cancelEmail(id)
  const isGone = cancelled.status !== undefined && cancelled.status < 300
  return works(
    isGone
      ? 'may send'
      : `may send; the email of the probe is scheduled for ${scheduledAt}, since ${answered(cancelled)}`,
  )
}

/** Creates a webhook with the key of the inbox, which shows the inbox of the key, and deletes it. */
export async function probeInbox(api: Api, { id, apiKey }: ConfiguredInbox): Promise<ProbeResult> {
  const scoped = api.as(apiKey)
  const events = await scoped.pollEvents({ limit: 1 })
  if (events.status !== 200) return fails(`its key sees no events: ${answered(events)}`)
  const url = `https://${defaultPublicHost}/x${runMark}x`
  const made = await scoped.createWebhook({ url, event_types: ['message.complained'] })
  const webhook = made.field('id')
  if (typeof webhook !== 'string') return fails(`its key cannot create a webhook: ${answered(made)}`)
  await api.deleteWebhook(webhook)
  const found = made.field('inbox_id')
  if (found === id) return works('its key is scoped to it')
  return fails(`its key is ${found === null ? 'one of the whole org' : `that of ${String(found)}`}`)
}

/** Listens, requests the public URL from here, and checks that the service accepts a webhook there. */
export async function probeReceiver(
  api: Api,
  { host, port, publicUrl }: { readonly host: string; readonly port: number; readonly publicUrl: string },
): Promise<ProbeResult> {
  let sink: Sink
  try {
    sink = await Sink.start({ host, port, publicUrl, takesPlain: true, names: [] })
  } catch (error) {
    return fails(`cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`)
  }
  const http = new HttpClient({ access: { insecure: true }, timeoutMs: probeMs })
  try {
    const endpoint = sink.endpoint(`x${runMark}x`)
    await http
      .send({ method: 'POST', url: endpoint.url, headers: { 'webhook-id': 'probe' }, body: '{}' })
      .catch(() => undefined)
    const isHere = await endpoint.arrives(() => endpoint.attempts.length + endpoint.others.length > 0, arrivesMs)
    if (!isHere) return fails(`${publicUrl} does not lead to ${host}:${port}, as seen from here`)
    const refusal = await sinkRefusal(api, { publicUrl, address: (await addressesOfUrl(publicUrl))[0] ?? host })
    return refusal === undefined ? works(`leads to ${host}:${sink.port}`) : fails(refusal)
  } finally {
    await http.close()
    await sink.close()
  }
}

/** Longest wait for an event that a trigger raises, in milliseconds: what a run would wait. */
export const raisedWithinMs = 60_000
/** Longest wait for an answer through the public URL, and for the request to arrive, in milliseconds. */
export const probeMs = 10_000
const arrivesMs = 2_000

/** Sends one email there, and waits for the event. */
export async function probeTrigger(
  api: Api,
  { type, trigger, from, cursor }: { type: EventType; trigger: Trigger; from: string | undefined; cursor: OrgCursor },
): Promise<ProbeResult> {
  const raiser = triggerRaiser({ api, from, triggers: { [type]: trigger }, cursor, withinMs: raisedWithinMs })
  try {
    await raiser.raise({ type, inboxId: '', inboxAddress: '', workspaceId: '', mark: `x${runMark}x` })
    return works(`raised ${type}`)
  } catch (error) {
    if (error instanceof EventMissing) return fails(`no ${type} arrived within ${error.withinMs / 1000} s`)
    return fails(error instanceof Error ? error.message : String(error))
  }
}
