import { installLoopbackGuard } from '../../harness/loopback.js'
import { UsageError, wholeNumber } from '../usage.js'

/** `conformance serve`: serves until it is interrupted. Resolves to the exit code. */
export async function serve(what: string, flags: Readonly<Record<string, unknown>>): Promise<number> {
  const port = wholeNumber('--port', String(flags['port']), 0, 65_535)
  const host = String(flags['host'])
  if (what === 'receiver') return serveReceiver(host, port, flags)
  if (what !== 'server') throw new UsageError(`serve ${what}: expected server or receiver`)
  const isPublic = flags['publicEgress'] === true
  if (!isPublic) installLoopbackGuard()
  const { startReferenceServer } = await import('../../reference/server/index.js')
  const controlKey = textOf(flags['controlKey']) ?? textOf(process.env['CONFORMANCE_CONTROL_KEY'])
  const apiKey = textOf(flags['apiKey']) ?? textOf(process.env['CONFORMANCE_API_KEY'])
  const server = await attempt(() =>
    startReferenceServer({
      host,
      port,
      publicEgress: isPublic,
      control:
        flags['control'] === true || textOf(flags['controlKey']) !== undefined
          ? controlKey === undefined
            ? true
            : { key: controlKey }
          : false,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(typeof flags['data'] === 'string' ? { data: flags['data'] } : {}),
    }),
  )
  if (flags['json'] === true) {
    const { close: _close, ...facts } = server
    process.stdout.write(`${JSON.stringify(facts)}\n`)
  } else {
    const lines = [
      `Reference server   ${server.url}`,
      `API key            ${server.apiKey}`,
      `Sending domain     ${server.domain}`,
      ...server.inboxes.map((inbox) => `Inbox              ${inbox.id}  ${inbox.address}  key ${inbox.apiKey}`),
      ...(server.controlUrl === undefined
        ? []
        : [`Control interface  ${server.controlUrl}`, `Control key        ${server.controlKey ?? ''}`]),
      isPublic
        ? 'Deliveries may leave this machine.'
        : 'Deliveries go to loopback addresses only (--public-egress lifts this).',
      'Interrupt to stop.',
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
  }
  await interrupted()
  await server.close()
  return 0
}

async function serveReceiver(host: string, port: number, flags: Readonly<Record<string, unknown>>): Promise<number> {
  const { startReferenceReceiver } = await import('../../reference/receiver/index.js')
  const { newSecret } = await import('../../harness/wire/signing.js')
  const secret = textOf(flags['secret']) ?? textOf(process.env['CONFORMANCE_SECRET']) ?? newSecret()
  const receiver = await attempt(() =>
    startReferenceReceiver({
      secret,
      host,
      port,
      onEvent: (event) => void process.stderr.write(`${JSON.stringify(event)}\n`),
    }),
  )
  const facts = { url: receiver.url, secret }
  process.stdout.write(
    flags['json'] === true
      ? `${JSON.stringify(facts)}\n`
      : `Reference receiver  ${facts.url}\nSecret              ${facts.secret}\nInterrupt to stop.\n`,
  )
  await interrupted()
  await receiver.close()
  return 0
}

async function attempt<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    throw new UsageError(`the server could not be started: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve)
  })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
