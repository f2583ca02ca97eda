// Runs the program as a user does on every hostile target and driver of the tests.
import { join } from 'node:path'
import { command, type CommandEnd } from '../../../harness/testing/hostile/command.js'
import { behaviours, type BehaviourName } from '../../../harness/testing/hostile/behaviours.js'
import { startHostile, type HostileOptions } from '../../../harness/testing/hostile/proxy.js'
import { streamBehaviours, type StreamBehaviourName } from '../../../harness/testing/hostile/stream-behaviours.js'
import type { ReferenceServer } from '../../../reference/server/index.js'
import { packageFolder } from '../../../bin/cli/package.js'

/** One hostile target and the result of its run. */
export interface Trial {
  readonly kind: string
  readonly name: string
  readonly run: () => Promise<TrialEnd>
}

export interface TrialEnd extends Pick<CommandEnd, 'code' | 'peakMb' | 'durationMs' | 'report'> {
  /** Bytes the target sent; undefined for a driver. */
  readonly bytes: number | undefined
  /** The input was refused before the run, so that there is no report. */
  readonly isRefusal?: boolean
  /** The fault of the run, apart from its exit code and its memory. */
  readonly problem?: string | undefined
}

/** A trial that is not over by then is ended, and has not held. */
const killAfterMs = 300_000
const secret = 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw=='
const caseMs = ['--timeout', '2500', '--seed', '1', '--quiet']
const driverBehaviours = [
  'silent',
  'no-newline',
  'stderr-flood',
  'exit-in-the-middle',
  'unknown-ids',
  'duplicates',
  'text-ids',
  'garbage',
  'injections',
  'deep',
  'odd-unsupported',
  'prototype-keys',
  'invalid-utf8',
] as const

/** All trials, kind by kind. */
export function trialsOn(reference: ReferenceServer): readonly Trial[] {
  const env = { CONFORMANCE_CONTROL_KEY: reference.controlKey ?? '' }
  const service = (url: string, ...suites: readonly string[]) => [
    'run',
    '--base-url',
    url,
    '--control-url',
    reference.controlUrl ?? '',
    ...suites.flatMap((suite) => ['--suite', `service/${suite}`]),
    ...caseMs,
  ]
  const put = async (options: HostileOptions, args: (url: string) => readonly string[]): Promise<TrialEnd> => {
    const target = await startHostile(options)
    try {
      return { ...(await command(args(target.url), { env, killAfterMs })), bytes: target.bytes() }
    } finally {
      await target.close()
    }
  }
  const isList = ({ method, path }: { method: string; path: string }) =>
    method === 'GET' && /^\/v1\/webhooks(?:\?|$)/.test(path)
  const driver = join(packageFolder(), 'harness/testing/hostile/driver.mjs')
  return [
    ...(Object.keys(behaviours) as BehaviourName[]).flatMap((name): Trial[] => [
      {
        kind: 'service, one operation',
        name,
        run: () =>
          put({ behaviour: behaviours[name], isVictim: isList, upstream: reference.url }, (url) =>
            service(url, 'webhooks', 'always'),
          ),
      },
      {
        kind: 'receiver',
        name,
        run: () =>
          put({ behaviour: behaviours[name] }, (url) => [
            'receiver',
            '--url',
            `${url}/hooks`,
            '--secret',
            secret,
            '--case',
            'receiver/acceptance/*',
            ...caseMs,
          ]),
      },
    ]),
    ...(Object.keys(streamBehaviours) as StreamBehaviourName[]).map((name): Trial => ({
      kind: 'stream',
      name,
      run: () =>
        put({ stream: streamBehaviours[name], upstream: reference.url }, (url) =>
          service(url, 'stream', 'stream-resume', 'always'),
        ),
    })),
    ...driverBehaviours.map((name): Trial => ({
      kind: 'driver',
      name,
      run: async () => ({
        ...(await command(['client', '--suite', 'client/errors', ...caseMs, '--', process.execPath, driver, name], {
          killAfterMs,
        })),
        bytes: undefined,
      }),
    })),
  ]
}
