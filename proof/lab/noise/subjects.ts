import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { combinations } from '../selftest/conforming.js'
import { packageFolder } from '../../../bin/cli/package.js'
import type { ReferenceFacts } from '../../../bin/reference/target.js'
import { commandOf, independentServices, startProcess, type RunningService } from '../independent-services.js'

export interface Subject {
  readonly id: string
  /** Its parts, if the id does not name them. */
  readonly parts: readonly string[]
  /** Why it cannot be started here. */
  readonly missing?: string
  start(): Promise<RunningService>
}

/** Returns the reference, some combinations of its variants (every variant is in one of all), and the independent services. */
export function subjects(seed: number, sample: number): readonly Subject[] {
  const host = join(packageFolder(), 'dist/proof/lab/noise/host.js')
  const onReference = (id: string, variants: readonly string[]): Subject => ({
    id,
    parts: variants,
    start: () => startProcess([process.execPath, host, ...variants]),
  })
  const together = combinations('service', seed).slice(0, sample)
  return [
    onReference('reference', []),
    ...together.map((variants, index) => onReference(`variants-${index + 1}`, variants)),
    ...independentServices.map((service): Subject => {
      const command = commandOf(service)
      if ('missing' in command)
        return {
          id: service,
          parts: [],
          missing: command.missing,
          start: () => Promise.reject(new Error(command.missing)),
        }
      return { id: service, parts: [], start: () => startProcess(command.argv) }
    }),
  ]
}

/** What the simulators of all subjects make of mail: so each event type has a real cause. */
const triggers = ['delivered', 'deferred', 'bounced', 'complained', 'failed'].map((type): [string, object] => [
  `message.${type}`,
  { to: `${type}@simulator.example` },
])

/** Lets a service trust an authority as well as that of the kit. */
export async function trust({ controlUrl = '', controlKey = '' }: ReferenceFacts, ca: string): Promise<void> {
  const answer = await fetch(`${controlUrl}/egress`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ allow: [], ca }),
  })
  if (!answer.ok) throw new Error(`POST /egress was answered with ${answer.status}`)
}

/** Runs the kit on a service; the path of its report is `report`. Resolves to the exit code and what it wrote to standard error. */
export async function runKit(
  service: RunningService,
  url: string,
  options: {
    readonly report: string
    readonly seed: number
    /** Where the sink listens, and what leads to it; its own address where absent. */
    readonly receiver: { readonly listen: string; readonly public_url: string } | undefined
    readonly arguments: readonly string[]
  },
): Promise<{ readonly code: number; readonly stderr: string }> {
  const { apiKey, controlUrl = '', controlKey = '' } = service.facts
  const control = new URL(controlUrl)
  const config = `${options.report}.config.json`
  writeFileSync(config, JSON.stringify({ triggers: Object.fromEntries(triggers), receiver: options.receiver }))
  const child = spawn(
    process.execPath,
    [
      join(packageFolder(), 'bin/conformance.js'),
      'run',
      '--quiet',
      '--config',
      config,
      '--base-url',
      url,
      '--api-key',
      apiKey,
      '--control-url',
      `${url}${control.pathname}`,
      '--control-key',
      controlKey,
      '--seed',
      String(options.seed),
      '--reporter',
      `json=${options.report}`,
      ...options.arguments,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const code = await new Promise<number>((resolve) => child.on('close', (exit) => resolve(exit ?? -1)))
  return { code, stderr }
}
