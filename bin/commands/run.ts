import { installLoopbackGuard } from '../../harness/loopback.js'
import { connectService } from '../../harness/service/subject.js'
import type { ServiceTarget } from '../../harness/service/target.js'
import { serviceCases } from '../../suites/service/index.js'
import { serviceTarget } from '../service-target.js'
import { runSession } from '../session.js'
import { readSettings, type Settings } from '../settings.js'
import { UsageError } from '../usage.js'

const sends =
  'It creates and deletes webhooks, raises events, sends emails where it may, asks for webhooks on addresses that must be refused, and sends malformed requests; all to the base URL alone.'

/** `conformance run`: judges a service. Resolves to the exit code. */
export async function run(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const settings = readSettings(flags)
  const isReference = flags['reference'] === true
  if (isReference && typeof flags['baseUrl'] === 'string')
    throw new UsageError('--reference and --base-url name two targets: give one of them')
  return isReference ? runOnReference(settings) : runOn(settings, serviceTarget(settings), againOf(settings))
}

function runOn(settings: Settings, target: ServiceTarget, again: string): Promise<number> {
  return runSession({ settings, catalogue: serviceCases, connect: () => connectService(target), again, sends })
}

/** The reference server in this process; nothing but loopback can be reached meanwhile. */
async function runOnReference(settings: Settings): Promise<number> {
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
      retryDepth: 2,
      control: { url: server.controlUrl ?? '', key: server.controlKey ?? '' },
      maxRps: Number.POSITIVE_INFINITY,
    }
    return await runOn(settings, target, 'conformance run --reference')
  } finally {
    await server.close()
  }
}

/** The command that reaches the same target; keys stand as variables. */
function againOf(settings: Settings): string {
  const parts = [`conformance run --base-url ${settings.text('base-url') ?? ''}`]
  if (settings.text('api-key') !== undefined) parts.push('--api-key "$CONFORMANCE_API_KEY"')
  const controlUrl = settings.text('control-url')
  if (controlUrl !== undefined) parts.push(`--control-url ${controlUrl} --control-key "$CONFORMANCE_CONTROL_KEY"`)
  const config = settings.text('config')
  if (config !== undefined) parts.push(`--config ${config}`)
  return parts.join(' ')
}
