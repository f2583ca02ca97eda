import { asText } from '../../harness/parsing.js'
import type { DeliveryView } from '../../reference/receiver/index.js'
import type { OptionName } from '../cli/options.js'
import { watchSignals } from '../cli/interrupt.js'
import { addressText, listenProblem } from '../cli/listening.js'
import { servables } from '../cli/option-values.js'
import { exitCodes, oneOf, signingSecret, UsageError, wholeNumber } from '../cli/usage.js'
import { registerWebhook } from '../serve/register-webhook.js'
import { AnalysisQueue } from '../serve/analysis-queue.js'
import { servedReference } from '../reference/served.js'
import { writeOutputFile } from '../cli/output-file.js'
import { readSettings, systemCode, systemReason, type Settings } from '../cli/settings.js'
import { printError, writeOutput } from '../cli/output.js'

/** `conformance serve`: serves until it is interrupted. Resolves to the exit code. */
export async function serve(what: string, flags: Readonly<Record<string, unknown>>): Promise<number> {
  const served = oneOf('serve', what, servables)
  const settings = readSettings('serve', flags)
  refuseUseless(served, settings)
  const port = wholeNumber('--port', settings.text('port') ?? '0', 0, 65_535)
  const host = (settings.text('host') ?? '127.0.0.1').replace(/^\[|\]$/g, '')
  const { come: interrupt } = watchSignals()
  const { isLoopback } = await import('../../harness/loopback.js')
  const { facts, lines, close } = await starts[served](host, port, settings)
  writeOutput(settings.isOn('json') ? `${JSON.stringify(facts)}\n` : `${lines.join('\n')}\n`)
  if (!isLoopback(host))
    printError(
      `--host ${host}: other machines can reach this ${served}, and it is for tests only; leave --host out to keep it local`,
    )
  await interrupt
  await close()
  return exitCodes.conformant
}

interface Served {
  /** What `--json` prints. */
  readonly facts: object
  readonly lines: readonly string[]
  close(): Promise<void>
}

interface ServedReceiver extends Served {
  readonly facts: { readonly url: string; readonly page_url?: string; readonly [more: string]: unknown }
}

/** What can be served, and the options that are of no use to the others. */
const ownOptions = {
  server: ['api-key', 'control', 'control-key', 'data', 'allow', 'ca', 'public-egress', 'with-receiver', 'mutant'],
  receiver: ['secret', 'tls', 'mutant'],
  sender: ['secret', 'url', 'ca', 'schedule', 'public-egress'],
} as const satisfies Readonly<Record<Servable, readonly OptionName[]>>
type Servable = (typeof servables)[number]

const starts: Readonly<Record<Servable, (host: string, port: number, settings: Settings) => Promise<Served>>> = {
  server: startServer,
  receiver: startReceiver,
  async sender(host, port, settings) {
    const ca = await authority(settings.text('ca'))
    const { startSender } = await import('../serve/sender.js')
    return attempt({ host, port }, () => startSender({ host, port, ca }, settings))
  },
}

/** A flag that only another of them reads would be silently without effect. */
function refuseUseless(what: Servable, settings: Settings): void {
  const own: readonly string[] = ownOptions[what]
  for (const other of servables) {
    const useless = ownOptions[other].find((name) => !own.includes(name) && settings.source(name) === 'flag')
    if (useless !== undefined) throw new UsageError(`--${useless} is an option of \`serve ${other}\`: leave it out`)
  }
}

async function startServer(host: string, port: number, settings: Settings): Promise<Served> {
  const [{ installLoopbackGuard, isLoopback }, { headerSafe }] = await Promise.all([
    import('../../harness/loopback.js'),
    import('../run/service-target.js'),
  ])
  const isPublic = settings.isOn('public-egress')
  if (!isPublic) installLoopbackGuard()
  const controlKey = headerSafe('--control-key', settings.text('control-key'))
  const apiKey = headerSafe('--api-key', settings.text('api-key'))
  const data = settings.text('data')
  const hasControl = settings.isOn('control') || settings.source('control-key') === 'flag'
  const { freePort } = await import('../../harness/webhook-sink.js')
  const receiverPort = settings.isOn('with-receiver') ? await freePort() : undefined
  const own = receiverPort === undefined ? [] : [`127.0.0.1:${receiverPort}`]
  const allow = [...settings.list('allow').map(loopbackPair), ...own]
  const authorities = [await authority(settings.text('ca')), receiverPort && (await sinkAuthority())]
  const { entry, policy, title } = await servedReference('server', settings.text('mutant'))
  const { serverForger } = await import('../serve/page-deliveries.js')
  const { close: closeServer, ...served } = await attempt({ host, port }, () =>
    entry.startReferenceServer({
      host,
      port,
      policy,
      publicEgress: isPublic,
      page: isLoopback(host),
      forger: serverForger(),
      allow,
      ca: authorities.filter((authority) => typeof authority === 'string'),
      control: hasControl ? (controlKey === undefined ? true : { key: controlKey }) : false,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(data === undefined ? {} : { data }),
    }),
  )
  const receiverPage = receiverPort === undefined ? undefined : await receiverBeside(served, receiverPort, settings)
  const facts = { ...served, ...(receiverPage === undefined ? {} : { receiver: receiverPage.facts }) }
  const close = async () => {
    await closeServer()
    await receiverPage?.close()
  }
  const lines = [
    `Reference server   ${facts.url}`,
    ...(title === undefined ? [] : [`With the mistake   ${title}`]),
    ...(receiverPage === undefined
      ? []
      : [`Receiver           ${receiverPage.facts.url}`, `Receiver's page    ${receiverPage.facts.page_url ?? ''}`]),
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
      : `Deliveries go ${allow.length === 0 ? 'nowhere yet' : 'nowhere else'}: --allow adds a loopback address, --public-egress every public one.`,
    'Interrupt to stop.',
  ]
  return { facts, lines, close }
}

/** A receiver on this port, to which a new webhook of the server leads: each trusts the other. */
async function receiverBeside(
  server: { readonly url: string; readonly apiKey: string },
  port: number,
  settings: Settings,
): Promise<ServedReceiver> {
  const { sinkCertificate } = await import('../../harness/webhook-sink.js')
  const secret = await registerWebhook(`https://127.0.0.1:${port}/webhooks`, server)
  return startReceiver('127.0.0.1', port, settings, { secret, tls: await sinkCertificate() })
}

/** Returns the authority of the certificate of a receiver that runs with the server. */
async function sinkAuthority(): Promise<string> {
  const { sinkCertificate } = await import('../../harness/webhook-sink.js')
  return (await sinkCertificate()).ca
}

/** Parses `--allow`: a loopback address and a port, in the form of the control interface. */
function loopbackPair(text: string): string {
  const [, ipv4, port = ''] = /^(127(?:\.\d{1,3}){3}|\[::1\]):(\d{1,5})$/.exec(text) ?? []
  const isPair = ipv4 !== undefined && URL.canParse(`http://${ipv4}:${port}`) && Number(port) > 0
  if (!isPair) throw new UsageError(`--allow ${text}: expected a loopback address and a port, such as 127.0.0.1:8443`)
  return `${ipv4}:${Number(port)}`
}

/** `--ca`: the text of a file that holds a certificate. */
async function authority(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined
  const [{ X509Certificate }, { readFile }] = await Promise.all([import('node:crypto'), import('../cli/settings.js')])
  const pem = readFile('--ca', path)
  try {
    void new X509Certificate(pem)
  } catch {
    throw new UsageError(`--ca ${path}: contains no PEM certificate`)
  }
  return pem
}

/** The meaning of each status of the reference receiver. */
const meanings: Readonly<Record<number, string>> = {
  200: 'a duplicate',
  204: 'accepted',
  400: 'refused: a header is missing or malformed, or the body is not JSON',
  401: 'refused: no matching signature, or a timestamp too far off',
  404: 'another path',
  405: 'not a POST request',
  413: 'refused: the body is too large',
  503: 'refused: too many at once',
}

/** Printed instead of the causes. */
const notAnalysed = 'Why was not looked into: too many were refused at once.'

async function startReceiver(
  host: string,
  port: number,
  settings: Settings,
  given?: { readonly secret: string; readonly tls: Certificate },
): Promise<ServedReceiver> {
  const { entry, policy, title } = await servedReference(
    'receiver',
    given === undefined ? settings.text('mutant') : undefined,
  )
  const { newSecret } = await import('../../harness/signing.js')
  const { diagnose } = await import('../../harness/diagnose/index.js')
  const secret = given?.secret ?? signingSecret(settings.text('secret') ?? newSecret())
  const tls = given?.tls ?? (await certificate(settings.text('tls')))
  const isJson = settings.isOn('json')
  /** Events by id, from when they are handled to when their request is answered. */
  const events = new Map<string, unknown>()
  /** Deliveries that do not verify, by id, until their request is answered. */
  const refused = new Map<string, DeliveryView>()
  const analysisQueue = new AnalysisQueue()
  const causesOf = ({ headers, body }: DeliveryView) => {
    const lines = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    )
    const now = Math.floor(Date.now() / 1000)
    const { causes } = diagnose({ headers: lines, body, notes: [] }, { secrets: [secret], now, budget: 20_000_000 })
    return causes.map(({ explanation, remedy }) => `${explanation} ${remedy}`)
  }
  const { isLoopback } = await import('../../harness/loopback.js')
  const { startReceiverPage } = await import('../serve/receiver-page.js')
  const page = isLoopback(host) ? await startReceiverPage(secret) : undefined
  const { url, handledUrl, close } = await attempt({ host, port, isBeside: given !== undefined }, () =>
    entry.startReferenceReceiver({
      secret,
      policy: page?.policy(policy) ?? policy,
      handledPath: '/handled/',
      host,
      port,
      ...(tls === undefined ? {} : { tls }),
      onEvent: async (event) => {
        events.set(asText((event as { id?: unknown } | null)?.id), event)
        await page?.held()
      },
      onDelivery: (delivery) => page?.onDelivery(delivery),
      onRefused: (delivery) => void refused.set(delivery.headers['webhook-id'] ?? '', delivery),
      onAnswer: ({ method, path, id, status }) => {
        const event = events.get(id ?? '')
        events.delete(id ?? '')
        const delivery = refused.get(id ?? '')
        refused.delete(id ?? '')
        const receivedAt = new Date().toISOString()
        const meaning = meanings[status] ?? ''
        const show = page?.taken({ method, path, id: id ?? '' })
        const notify = (why: readonly string[] | undefined) => {
          show?.({ status, meaning, isVerified: why === undefined, causes: why ?? [] })
          writeOutput(
            isJson
              ? `${JSON.stringify({ received_at: receivedAt, method, path, webhook_id: id, status, event, causes: why })}\n`
              : `${receivedAt}  ${status}  ${meaning}  ${printable(id ?? `${method} ${path}`)}${event === undefined ? '' : `\n  ${printable(JSON.stringify(event))}`}${(why ?? []).map((cause) => `\n  ${printable(cause)}`).join('')}\n`,
          )
        }
        if (delivery === undefined) notify(undefined)
        else analysisQueue.add((mayAnalyse) => notify(mayAnalyse ? causesOf(delivery) : [notAnalysed]))
      },
    }),
  )
  page?.serves({ url, ...(tls === undefined ? {} : { access: { ca: tls.ca } }) })
  const lines = [
    `Reference receiver  ${url}`,
    ...(page === undefined ? [] : [`Page                ${page.url}`]),
    ...(title === undefined ? [] : [`With the mistake    ${title}`]),
    `Secret              ${secret}`,
    `Handled             ${handledUrl}`,
    'Interrupt to stop.',
  ]
  return {
    facts: { url, secret, handled_url: handledUrl, ...(page === undefined ? {} : { page_url: page.url }) },
    lines,
    close: async () => {
      await close()
      analysisQueue.end()
      await page?.close()
    },
  }
}

/** Text of a stranger for a terminal: control characters are shown, not obeyed. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (character) =>
    JSON.stringify(character).length > 3
      ? JSON.stringify(character).slice(1, -1)
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

interface Certificate {
  readonly ca: string
  readonly key: string
  readonly cert: string
}

/** `--tls`: a fresh certificate for loopback; its authority is written to `path`. */
async function certificate(path: string | undefined): Promise<Certificate | undefined> {
  if (path === undefined) return undefined
  const { sinkCertificate } = await import('../../harness/webhook-sink.js')
  const { ca, key, cert } = await sinkCertificate()
  try {
    writeOutputFile(path, ca)
  } catch (error) {
    throw new UsageError(`--tls ${path}: cannot be written (${systemReason(error)})`)
  }
  return { ca, key, cert }
}

interface Place {
  readonly host: string
  readonly port: number
  /** True for the receiver that runs with the server, whose port is not the user's choice. */
  readonly isBeside?: boolean
}

async function attempt<T>({ host, port, isBeside = false }: Place, start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    if (error instanceof UsageError) throw error
    const place = addressText({ host, port })
    if (isBeside && systemCode(error) === 'EADDRINUSE')
      throw new UsageError(`--with-receiver: another program has just taken ${place}, which was free: try it again`)
    const problem = listenProblem(error, { host: '--host', port: '--port' })
    const why = problem === undefined ? (error instanceof Error ? error.message : String(error)) : `${place} ${problem}`
    throw new UsageError(`the server could not be started: ${why}`)
  }
}
