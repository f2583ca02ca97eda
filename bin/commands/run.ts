import { installLoopbackGuard } from '../../harness/loopback.js'
import { connectService } from '../../harness/service/subject.js'
import type { ServiceTarget } from '../../harness/service/target.js'
import { serviceCases } from '../../suites/service/index.js'
import { quoted, secretWord } from '../command-line.js'
import { paceOf, serviceTarget } from '../service-target.js'
import { runSession } from '../session.js'
import { readSettings, type Settings } from '../settings.js'
import { UsageError } from '../usage.js'

const sends =
  'It creates and deletes webhooks, raises events, sends emails where it may, asks for webhooks on addresses that must be refused, and sends malformed requests; all to the base URL alone.'

/** `conformance run`: judges a service. Resolves to the exit code. */
export async function run(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const isReference = wantsReference(readSettings(flags))
  const settings = readSettings(flags, { isService: !isReference })
  if (isReference) return runOnReference(settings)
  return runOn(settings, serviceTarget(settings), againOf(settings))
}

/** A flag names the target before a variable does, and a variable before the file. */
function wantsReference(settings: Settings): boolean {
  if (!settings.isOn('reference')) return false
  const isFlag = settings.source('reference') === 'flag'
  const isTwice = settings.source('base-url') === settings.source('reference')
  if (isTwice) throw new UsageError('--reference and --base-url name two targets: give one of them')
  if (!isFlag) return settings.source('base-url') !== 'flag'
  const useless = ['api-key', 'control-url', 'control-key'].find((name) => settings.source(name) === 'flag')
  if (useless !== undefined) throw new UsageError(`--${useless}: --reference makes its own; leave it out`)
  return true
}

function runOn(settings: Settings, target: ServiceTarget, again: string): Promise<number> {
  return runSession({
    settings,
    catalogue: serviceCases,
    target: { kind: 'service', name: target.name ?? target.baseUrl },
    connect: () => connectService(target),
    again,
    sends,
  })
}

/** The reference server in this process; nothing but loopback can be reached meanwhile. */
async function runOnReference(settings: Settings): Promise<number> {
  const pace = paceOf(settings)
  installLoopbackGuard()
  const { startReferenceServer } = await import('../../reference/server/index.js')
  const server = await startReferenceServer({ control: true })
  try {
    const target = {
      name: 'reference server',
      baseUrl: server.url,
      apiKey: server.apiKey,
      from: undefined,
      inboxes: [],
      receiver: undefined,
      triggers: {},
      dns: undefined,
      control: { url: server.controlUrl ?? '', key: server.controlKey ?? '' },
      ...pace,
    }
    return await runOn(settings, target, 'conformance run --reference')
  } finally {
    await server.close()
  }
}

/** The command that reaches the same target; keys stand as variables, and what is in the file is found there again. */
function againOf(settings: Settings): string {
  const isGiven = (name: string) => settings.source(name) === 'flag' || settings.source(name) === 'variable'
  const words = [`conformance run --base-url ${quoted(settings.text('base-url') ?? '')}`]
  if (isGiven('api-key')) words.push(`--api-key ${secretWord('CONFORMANCE_API_KEY')}`)
  if (isGiven('control-url')) words.push(`--control-url ${quoted(settings.text('control-url') ?? '')}`)
  if (isGiven('control-key')) words.push(`--control-key ${secretWord('CONFORMANCE_CONTROL_KEY')}`)
  return words.join(' ')
}
