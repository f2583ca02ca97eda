import { driverCommand } from '../../harness/driver/process.js'
import { quoted } from '../command-line.js'
import { harmless } from '../complaint.js'
import { runSession } from '../session.js'
import { readSettings } from '../settings.js'
import { UsageError } from '../usage.js'

/** `conformance verifier -- …` and `conformance client -- …`. Resolves to the exit code. */
export async function driver(
  kind: 'verifier' | 'client',
  command: readonly string[],
  flags: Readonly<Record<string, unknown>>,
): Promise<number> {
  const [program, ...args] = command
  if (program === undefined || program === '')
    throw new UsageError(`${kind} needs a driver: conformance ${kind} -- <command…>`)
  const settings = readSettings(flags)
  const isQuiet = settings.isOn('quiet')
  const source = driverCommand({
    command: [program, ...args],
    onStderr: (line) => void (isQuiet || process.stderr.write(`driver: ${harmless(line)}\n`)),
  })
  const line = command.map(quoted).join(' ')
  const shared = {
    settings,
    target: { kind, name: line },
    again: `conformance ${kind}`,
    after: `-- ${line}`,
    sends: 'It starts the driver and speaks the driver protocol with it; nothing leaves this machine.',
  }
  if (kind === 'verifier') {
    const [{ connectVerifier }, { verifierCases }] = await Promise.all([
      import('../../harness/verifier/subject.js'),
      import('../../suites/verifier/index.js'),
    ])
    return runSession({ ...shared, catalogue: verifierCases, connect: () => connectVerifier(source) })
  }
  const [{ connectClient }, { clientCases }] = await Promise.all([
    import('../../harness/client/subject.js'),
    import('../../suites/client/index.js'),
  ])
  return runSession({ ...shared, catalogue: clientCases, connect: () => connectClient(source) })
}
