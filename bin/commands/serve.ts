import { writeFileSync } from 'node:fs'
import { exitCodes, UsageError, wholeNumber } from '../usage.js'
import { readSettings, systemCode, type Settings } from '../settings.js'

/** `conformance serve`: serves until it is interrupted. Resolves to the exit code. */
export async function serve(what: string, flags: Readonly<Record<string, unknown>>): Promise<number> {
  if (what !== 'server' && what !== 'receiver') throw new UsageError(`serve ${what}: expected server or receiver`)
  const settings = readSettings(flags, { ignoresFile: true })
  refuseUseless(what, settings)
  const port = wholeNumber('--port', settings.text('port') ?? '0', 0, 65_535)
  const host = (settings.text('host') ?? '127.0.0.1').replace(/^\[|\]$/g, '')
  const interrupt = interrupted()
  const served = await (what === 'server' ? startServer(host, port, settings) : startReceiver(host, port, settings))
  process.stdout.write(settings.isOn('json') ? `${JSON.stringify(served.facts)}\n` : `${served.lines.join('\n')}\n`)
  await interrupt
  await served.close()
  return exitCodes.conformant
}

interface Served {
  /** What `--json` prints. */
  readonly facts: object
  readonly lines: readonly string[]
  close(): Promise<void>
}

const ownOptions = {
  server: ['api-key', 'control', 'control-key', 'data', 'allow', 'ca', 'public-egress'],
  receiver: ['secret', 'tls'],
} as const

/** A flag that the other one of the two reads would be silently without effect. */
function refuseUseless(what: 'server' | 'receiver', settings: Settings): void {
  const other = what === 'server' ? 'receiver' : 'server'
  const useless = ownOptions[other].find((name) => settings.source(name) === 'flag')
  if (useless !== undefined) throw new UsageError(`--${useless} is an option of \`serve ${other}\`: leave it out`)
}

async function startServer(host: string, port: number, settings: Settings): Promise<Served> {
  const [{ installLoopbackGuard, isLoopback }, { headerSafe }] = await Promise.all([
    import('../../harness/loopback.js'),
    import('../service-target.js'),
  ])
  const isPublic = settings.isOn('public-egress')
  if (!isPublic) installLoopbackGuard()
  const controlKey = headerSafe('--control-key', settings.text('control-key'))
  const apiKey = headerSafe('--api-key', settings.text('api-key'))
  const data = settings.text('data')
  const hasControl = settings.isOn('control') || settings.source('control-key') === 'flag'
  const allow = settings.list('allow').map(loopbackPair)
  const ca = await authority(settings.text('ca'))
  const { startReferenceServer } = await import('../../reference/server/index.js')
  const { close, ...facts } = await attempt({ host, port }, () =>
    startReferenceServer({
      host,
      port,
      publicEgress: isPublic,
      page: isLoopback(host),
      allow,
      ca: ca === undefined ? [] : [ca],
      control: hasControl ? (controlKey === undefined ? true : { key: controlKey }) : false,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(data === undefined ? {} : { data }),
    }),
  )
  const lines = [
    `Reference server   ${facts.url}`,
    ...(facts.pageUrl === undefined ? [] : [`Page               ${facts.pageUrl}`]),
    `API key            ${facts.apiKey}`,
    `Sending domain     ${facts.domain}`,
    ...facts.inboxes.map((inbox) => `Inbox              ${inbox.id}  ${inbox.address}  key ${inbox.apiKey}`),
    ...(facts.controlUrl === undefined
      ? []
      : [`Control interface  ${facts.controlUrl}`, `Control key        ${facts.controlKey ?? ''}`]),
    ...(allow.length === 0 ? [] : [`Deliveries go to   ${allow.join(', ')}`]),
    isPublic
      ? 'Deliveries may leave this machine.'
      : 'Deliveries go to loopback addresses only (--public-egress lifts this), to those that --allow names.',
    'Interrupt to stop.',
  ]
  return { facts, lines, close }
}

/** `--allow`: a loopback address and a port, as the control interface takes it. */
function loopbackPair(text: string): string {
  const [, ipv4, port = ''] = /^(127(?:\.\d{1,3}){3}|\[::1\]):(\d{1,5})$/.exec(text) ?? []
  const isPair = ipv4 !== undefined && URL.canParse(`http://${ipv4}:${port}`) && Number(port) > 0
  if (!isPair) throw new UsageError(`--allow ${text}: expected a loopback address and a port, such as 127.0.0.1:8443`)
  return `${ipv4}:${Number(port)}`
}

/** `--ca`: the text of a file that holds a certificate. */
async function authority(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined
  const [{ X509Certificate }, { readFile }] = await Promise.all([import('node:crypto'), import('../settings.js')])
  const pem = readFile('--ca', path)
  try {
    void new X509Certificate(pem)
  } catch {
    throw new UsageError(`--ca ${path}: holds no certificate in PEM`)
  }
  return pem
}

/** What a status of the reference receiver says. */
const meanings: Readonly<Record<number, string>> = {
  200: 'a duplicate',
  204: 'accepted',
  400: 'refused: a header is missing or malformed, or the body is no JSON',
  401: 'refused: no matching signature, or a timestamp too far off',
  404: 'another path',
  405: 'another method',
  413: 'refused: the body is too large',
  503: 'refused: too many at once',
}

async function startReceiver(host: string, port: number, settings: Settings): Promise<Served> {
  const { startReferenceReceiver } = await import('../../reference/receiver/index.js')
  const { newSecret } = await import('../../harness/wire/signing.js')
  const secret = settings.text('secret') ?? newSecret()
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) throw new UsageError('--secret: expected whsec_ followed by base64')
  const tls = await certificate(settings.text('tls'))
  const isJson = settings.isOn('json')
  /** Events by id, from when they are handled to when their request is answered. */
  const events = new Map<string, unknown>()
  const { url, close } = await attempt({ host, port }, () =>
    startReferenceReceiver({
      secret,
      host,
      port,
      ...(tls === undefined ? {} : { tls }),
      onEvent: (event) => void events.set(String((event as { id?: unknown } | null)?.id), event),
      onAnswer: ({ method, path, id, status }) => {
        const event = events.get(id ?? '')
        events.delete(id ?? '')
        const receivedAt = new Date().toISOString()
        const meaning = meanings[status] ?? ''
        process.stdout.write(
          isJson
            ? `${JSON.stringify({ received_at: receivedAt, method, path, webhook_id: id, status, event })}\n`
            : `${receivedAt}  ${status}  ${meaning}  ${printable(id ?? `${method} ${path}`)}${event === undefined ? '' : `\n  ${printable(JSON.stringify(event))}`}\n`,
        )
      },
    }),
  )
  const lines = [`Reference receiver  ${url}`, `Secret              ${secret}`, 'Interrupt to stop.']
  return { facts: { url, secret }, lines, close }
}

/** Text of a stranger for a terminal: control characters are shown, not obeyed. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (character) =>
    JSON.stringify(character).length > 3
      ? JSON.stringify(character).slice(1, -1)
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** `--tls`: a fresh certificate for loopback; its authority is written to `path`. */
async function certificate(path: string | undefined): Promise<{ key: string; cert: string } | undefined> {
  if (path === undefined) return undefined
  const { sinkCertificate } = await import('../../harness/sink/certificate.js')
  const { ca, key, cert } = await sinkCertificate()
  try {
    writeFileSync(path, ca)
  } catch (error) {
    throw new UsageError(`--tls ${path}: cannot be written (${systemCode(error)})`)
  }
  return { key, cert }
}

/** Why an address cannot be listened on, and what to do. */
const listenProblems: Readonly<Record<string, (place: string) => string>> = {
  EADDRINUSE: (place) => `${place} is in use: choose another --port, or 0 for any that is free`,
  EACCES: (place) => `${place} may not be listened on: choose a --port from 1024 up`,
  EADDRNOTAVAIL: (place) => `${place} is no address of this machine: choose another --host`,
  ENOTFOUND: (place) => `${place} has no address: choose another --host`,
  EAI_AGAIN: (place) => `${place} has no address: choose another --host`,
}

async function attempt<T>({ host, port }: { host: string; port: number }, start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    const problem = listenProblems[systemCode(error)]?.(`${host.includes(':') ? `[${host}]` : host}:${port}`)
    throw new UsageError(
      `the server could not be started: ${problem ?? (error instanceof Error ? error.message : String(error))}`,
    )
  }
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    let count = 0
    const onSignal = () => {
      if (++count > 1) process.exit(exitCodes.noVerdict)
      resolve()
    }
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  })
}
