import { installLoopbackGuard } from '../../harness/loopback.js'
import { readSettings, type Settings } from '../settings.js'
import { exitCodes, UsageError, wholeNumber } from '../usage.js'

/** `conformance serve`: serves until it is interrupted. Resolves to the exit code. */
export async function serve(what: string, flags: Readonly<Record<string, unknown>>): Promise<number> {
  if (what !== 'server' && what !== 'receiver') throw new UsageError(`serve ${what}: expected server or receiver`)
  const settings = readSettings(flags, { ignoresFile: true })
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

async function startServer(host: string, port: number, settings: Settings): Promise<Served> {
  const isPublic = settings.isOn('public-egress')
  if (!isPublic) installLoopbackGuard()
  const { startReferenceServer } = await import('../../reference/server/index.js')
  const controlKey = settings.text('control-key')
  const apiKey = settings.text('api-key')
  const data = settings.text('data')
  const hasControl = settings.isOn('control') || settings.source('control-key') === 'flag'
  const { close, ...facts } = await attempt(() =>
    startReferenceServer({
      host,
      port,
      publicEgress: isPublic,
      control: hasControl ? (controlKey === undefined ? true : { key: controlKey }) : false,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(data === undefined ? {} : { data }),
    }),
  )
  const lines = [
    `Reference server   ${facts.url}`,
    `API key            ${facts.apiKey}`,
    `Sending domain     ${facts.domain}`,
    ...facts.inboxes.map((inbox) => `Inbox              ${inbox.id}  ${inbox.address}  key ${inbox.apiKey}`),
    ...(facts.controlUrl === undefined
      ? []
      : [`Control interface  ${facts.controlUrl}`, `Control key        ${facts.controlKey ?? ''}`]),
    isPublic
      ? 'Deliveries may leave this machine.'
      : 'Deliveries go to loopback addresses only (--public-egress lifts this).',
    'Interrupt to stop.',
  ]
  return { facts, lines, close }
}

async function startReceiver(host: string, port: number, settings: Settings): Promise<Served> {
  const { startReferenceReceiver } = await import('../../reference/receiver/index.js')
  const { newSecret } = await import('../../harness/wire/signing.js')
  const secret = settings.text('secret') ?? newSecret()
  const { url, close } = await attempt(() =>
    startReferenceReceiver({
      secret,
      host,
      port,
      onEvent: (event) => void process.stderr.write(`${JSON.stringify(event)}\n`),
    }),
  )
  const lines = [`Reference receiver  ${url}`, `Secret              ${secret}`, 'Interrupt to stop.']
  return { facts: { url, secret }, lines, close }
}

async function attempt<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    throw new UsageError(`the server could not be started: ${error instanceof Error ? error.message : String(error)}`)
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
