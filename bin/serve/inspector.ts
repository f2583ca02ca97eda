import { memberOf } from '../../harness/parsing.js'
import type { SignatureScheme } from '../../harness/schemes/index.js'
import type {
  InspectedDelivery,
  InspectorNews,
  ReceiverMode,
  SendAnswer,
  SendRequest,
  SentByPage,
} from '../../pages/data.js'
import type { Lines } from '../cli/recorded-delivery.js'
import { sampleNames } from '../cli/signed-delivery.js'
import { startTokenPage } from '../page/token-page.js'
import { startDiagnosePage } from './diagnose-page.js'
import { forgeryKinds, outgoingOf, post, type PageEndpoint } from './page-deliveries.js'

/** Requests that the page shows; the oldest are forgotten first. */
const maxShown = 200
/** Deliveries of the page that are awaited; some never arrive. */
const maxUnderWay = 20
/** Characters of a body that are shown. */
const maxBody = 64_000

const modes: readonly ReceiverMode[] = ['right', 'fails', 'redirects', 'slow']

export interface ArrivedRequest {
  readonly method: string
  readonly path: string
  readonly id: string
  readonly headers: Lines['headers']
  /** Undefined where it was not kept. */
  readonly body: Uint8Array | undefined
}

/** The result of a request. */
export type Answered = Pick<InspectedDelivery, 'status' | 'meaning' | 'durationMs' | 'isVerified' | 'causes' | 'answer'>

/** The page of an endpoint: each request and its result, and deliveries that the page sends to it. */
export interface Inspector {
  readonly url: string
  /** Sets the address of the endpoint: the page sends nowhere else. */
  serves(endpoint: PageEndpoint & { readonly forwardsTo?: string }): void
  /** Takes a request. Returns where it can be diagnosed, if it can, and shows the request once its result is known. */
  add(request: ArrivedRequest): { readonly diagnoseUrl: string | undefined; end(answered: Answered): void }
  close(): Promise<void>
}

interface InspectorOptions {
  readonly title: string
  readonly secret: string | undefined
  readonly scheme: SignatureScheme | undefined
  /** The behaviour of the endpoint, if the page may choose it. */
  readonly behaviour?: { mode: ReceiverMode }
}

/** Starts the page, and the one that explains a signature. Without a secret the page signs nothing. */
export async function startInspector(options: InspectorOptions): Promise<Inspector> {
  const { title, secret, scheme, behaviour } = options
  const secrets = secret === undefined ? [] : [secret]
  const diagnosing = await startDiagnosePage({ secrets, scheme: scheme?.data })
  const inspected = new InspectedRequests(options)
  const page = await startTokenPage<InspectorNews>({
    page: 'inspector',
    title,
    follow: (follower) => inspected.follow(follower),
    routes(app, base) {
      app.post(`${base}send`, async (c) => {
        const answer = await inspected.send(sendRequestOf(await c.req.json().catch(() => undefined)))
        return typeof answer === 'string' ? c.json({ problem: answer }, 400) : c.json(answer)
      })
      app.post(`${base}clear`, (c) => {
        inspected.clear()
        return c.json({}, 202)
      })
      if (behaviour === undefined) return
      app.post(`${base}mode`, async (c) => {
        const wanted: unknown = await c.req.json().catch(() => undefined)
        const known = modes.find((candidate) => candidate === wanted)
        if (known === undefined) return c.json({ problem: `expected ${modes.join(', ')}` }, 400)
        behaviour.mode = known
        inspected.notify({ kind: 'mode', mode: known })
        return c.json({}, 202)
      })
    },
  })
  return {
    url: page.url,
    serves: (endpoint) => void (inspected.endpoint = endpoint),
    add(request) {
      const { method, path, id, headers, body } = request
      const label = id === '' ? `${method} ${path}` : id
      const diagnoseUrl = body === undefined ? undefined : diagnosing.add({ label, headers, body })
      return { diagnoseUrl, end: inspected.add(request, diagnoseUrl) }
    },
    close: async () => {
      await Promise.all([page.close(), diagnosing.close()])
    },
  }
}

/** The requests that the page shows, and those that it sends. */
class InspectedRequests {
  /** Where the page sends. */
  endpoint: Parameters<Inspector['serves']>[0] = { url: '' }
  readonly #options: InspectorOptions
  readonly #received: InspectedDelivery[] = []
  readonly #kept = new Map<number, Lines>()
  /** What the page sent and was not shown yet: an endpoint may show a request after its answer has arrived. */
  readonly #underWay = new Set<SentByPage & { readonly lines: Lines }>()
  readonly #followers = new Set<(news: InspectorNews) => void>()
  #count = 0

  constructor(options: InspectorOptions) {
    this.#options = options
  }

  follow(follower: (news: InspectorNews) => void): () => void {
    this.#followers.add(follower)
    follower(this.#everything())
    return () => void this.#followers.delete(follower)
  }

  notify(news: InspectorNews): void {
    for (const follower of this.#followers) follower(news)
  }

  clear(): void {
    this.#received.length = 0
    this.#kept.clear()
    this.notify(this.#everything())
  }

  /** Takes a request. The returned function shows it with its result. */
  add({ body, ...request }: ArrivedRequest, diagnoseUrl: string | undefined): (answered: Answered) => void {
    const number = ++this.#count
    if (body !== undefined) this.#kept.set(number, { headers: request.headers, body })
    this.#kept.delete(number - maxShown)
    const sent = this.#sentByPage(body)
    const shown = {
      number,
      at: new Date().toISOString(),
      ...request,
      ...(body === undefined ? {} : textOf(body)),
      ...(diagnoseUrl === undefined ? {} : { diagnoseUrl }),
      ...(sent === undefined ? {} : { sent }),
    }
    return ({ isVerified, ...answered }) => {
      // Without a body no signature was checked.
      const checked = isVerified === undefined || body === undefined ? {} : { isVerified }
      const delivery: InspectedDelivery = { ...shown, ...answered, ...checked }
      this.#received.unshift(delivery)
      this.#received.length = Math.min(this.#received.length, maxShown)
      this.notify({ kind: 'received', delivery })
    }
  }

  /** Sends what the page wants. Resolves to a text for what cannot be sent. */
  async send(wanted: SendRequest): Promise<SendAnswer | string> {
    const { secret, scheme } = this.#options
    const signer = secret === undefined ? undefined : { secret, scheme }
    const url = this.endpoint.signedUrl ?? this.endpoint.url
    const outgoing = outgoingOf(wanted, this.#kept.get(wanted.number ?? 0), { signer, url })
    if (typeof outgoing === 'string') return outgoing
    this.#underWay.add(outgoing)
    for (const oldest of this.#underWay) if (this.#underWay.size > maxUnderWay) this.#underWay.delete(oldest)
    return post(this.endpoint, outgoing)
  }

  #everything(): InspectorNews {
    const { title, secret, scheme, behaviour } = this.#options
    const { url, forwardsTo } = this.endpoint
    return {
      kind: 'all',
      title,
      url,
      ...(forwardsTo === undefined ? {} : { forwardsTo }),
      ...(secret === undefined ? {} : { secret }),
      events: sampleNames(scheme),
      forgeries: forgeryKinds(scheme),
      ...(behaviour === undefined ? {} : { mode: behaviour.mode }),
      received: this.#received,
    }
  }

  /** Finds what the page sent, by its bytes. */
  #sentByPage(body: Uint8Array | undefined): SentByPage | undefined {
    const found = [...this.#underWay].find(({ lines }) => body !== undefined && Buffer.compare(lines.body, body) === 0)
    if (found === undefined) return undefined
    this.#underWay.delete(found)
    const { lines: _, ...sent } = found
    return sent
  }
}

/** The body as text, and its bytes where that is not all of it. */
function textOf(bytes: Uint8Array): Pick<InspectedDelivery, 'body' | 'bodyBase64'> {
  const buffer = Buffer.from(bytes)
  const text = buffer.toString('utf8')
  const body = text.length > maxBody ? `${text.slice(0, maxBody)}… (${buffer.length} bytes)` : text
  const isText = Buffer.compare(Buffer.from(text), buffer) === 0
  return isText || text.length > maxBody ? { body } : { body, bodyBase64: buffer.toString('base64') }
}

/** Reads the request of a page; fields of another type are left out. */
function sendRequestOf(value: unknown): SendRequest {
  const [event, number, forgery] = ['event', 'number', 'forgery'].map((name) => memberOf(value, name))
  return {
    ...(typeof event === 'string' ? { event } : {}),
    ...(typeof number === 'number' ? { number } : {}),
    ...(typeof forgery === 'string' ? { forgery } : {}),
    ...(memberOf(value, 'isAsIs') === true ? { isAsIs: true } : {}),
  }
}
