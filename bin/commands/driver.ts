import { driverCommand } from '../../harness/driver/index.js'
import { memberOf } from '../../harness/parsing.js'
import { hideSecrets } from '../cli/hidden-arguments.js'
import { addSecrets, sanitize, writeError } from '../cli/output.js'
import { runSession } from '../run/session.js'
import { headerFamilies } from '../cli/option-values.js'
import { quoted } from '../cli/command-line.js'
import { schemeOf } from '../cli/scheme.js'
import { readSettings, type Settings } from '../cli/settings.js'
import { oneOf, UsageError } from '../cli/usage.js'
import { invocation } from '../cli/invocation.js'

/** Cases side by side, for a plan; a run starts as many drivers as the machine has room for. */
const usualConcurrency = 4

/** `conformance verifier -- …` and `conformance client -- …`. Resolves to the exit code. */
export async function driver(
  kind: 'verifier' | 'client',
  command: readonly string[],
  flags: Readonly<Record<string, unknown>>,
): Promise<number> {
  const settings = readSettings(kind, flags)
  const [program, ...args] = command.length === 0 ? ofFile(kind, settings) : command
  if (program === undefined || program === '')
    throw new UsageError(
      `${kind} needs a driver: conformance ${kind} -- <command…>, or ${kind}: { command: … } in the configuration`,
    )
  const isQuiet = settings.isOn('quiet')
  const { line: whole, secrets } = hideSecrets([program, ...args], invocation().env)
  const line = command.length === 0 ? whole.replace(/^sh -c /, '') : whole
  addSecrets(secrets)
  const source = driverCommand({
    command: [program, ...args],
    label: line,
    secrets,
    onStderr: (text) => void (isQuiet || writeError(`driver: ${sanitize(text)}\n`)),
  })
  const shared = {
    settings,
    target: { kind, name: line },
    again: `conformance ${kind}`,
    ...(command.length === 0 ? {} : { after: `-- ${line}` }),
    planned: () => ({ findMissing: () => undefined, concurrency: usualConcurrency }),
    sends: 'It starts the driver and talks to it in the driver protocol; nothing leaves this machine.',
  }
  if (kind === 'verifier') {
    const scheme = schemeOf(settings)
    const [{ connectVerifier, findMissingOfVerifier }, { verifierCases }] = await Promise.all([
      import('../../harness/verifier/index.js'),
      import('../../suites/verifier/index.js'),
    ])
    const headerNames = oneOf('--header-names', settings.text('header-names') ?? 'webhook', headerFamilies)
    return runSession({
      ...shared,
      again: [
        shared.again,
        ...(headerNames === 'webhook' ? [] : [`--header-names ${headerNames}`]),
        ...(scheme === undefined ? [] : [`--scheme ${quoted(settings.text('scheme') ?? scheme.name)}`]),
      ].join(' '),
      catalogue: verifierCases,
      planned: () => ({ findMissing: (need) => findMissingOfVerifier(need, scheme), concurrency: usualConcurrency }),
      connect: () => connectVerifier(source, { headerNames, ...(scheme === undefined ? {} : { scheme }) }),
    })
  }
  const [{ connectClient }, { clientCases }] = await Promise.all([
    import('../../harness/client/index.js'),
    import('../../suites/client/index.js'),
  ])
  return runSession({ ...shared, catalogue: clientCases, connect: () => connectClient(source) })
}

/** The command of the configuration, as the shell reads it. */
function ofFile(kind: 'verifier' | 'client', { file }: Settings): readonly string[] {
  const text = memberOf(file[kind], 'command')
  return typeof text === 'string' ? ['sh', '-c', text] : []
}
