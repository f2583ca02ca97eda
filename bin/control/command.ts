// `control: { command: … }`: the control interface of a program that answers on standard input.
import type { ServiceTarget } from '../../harness/service/index.js'
import { hideSecrets } from '../cli/hidden-arguments.js'
import { addSecrets, sanitize, writeError } from '../cli/output.js'
import type { Settings, SettingSource } from '../cli/settings.js'
import { UsageError } from '../cli/usage.js'
import { bridgeControl } from './bridge.js'
import { invocation } from '../cli/invocation.js'

type ControlAt = NonNullable<ServiceTarget['control']>

/** The first source in this order counts. */
const order: readonly (SettingSource | undefined)[] = ['flag', 'variable', 'file', undefined]

/** The command, and how it may be shown; undefined where none is given, or a URL is given by what counts more. */
export function controlCommandOf(settings: Settings): { readonly command: string; readonly shown: string } | undefined {
  const command = settings.text('control-command')
  if (command === undefined) return undefined
  const answer = settings.source('control-command')
  for (const other of ['control-url', 'control-key'] as const)
    if (settings.source(other) === answer)
      throw new UsageError(`--control-command and --${other} name two control interfaces: give one of them`)
  if (order.indexOf(settings.source('control-url')) < order.indexOf(answer)) return undefined
  const { line, secrets } = hideSecrets(['sh', '-c', command], invocation().env)
  addSecrets(secrets)
  return { command, shown: line.replace(/^sh -c /, '') }
}

/** Where the control interface would be, for a plan, which starts nothing. */
export const unstartedControl: ControlAt = { url: 'http://127.0.0.1/_control', key: 'key' }

/** Does something with the control interface of the command, which runs meanwhile; without one where none is given. */
export async function withControlCommand<Result>(
  settings: Settings,
  action: (control: ControlAt | undefined) => Promise<Result>,
): Promise<Result> {
  const given = controlCommandOf(settings)
  if (given === undefined) return action(undefined)
  const bridge = await bridgeControl(given.command, (line) => writeError(`control: ${sanitize(line)}\n`))
  try {
    return await action({ url: bridge.url, key: bridge.key })
  } finally {
    await bridge.close()
  }
}
