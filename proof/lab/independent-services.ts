import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ConfiguredInbox } from '../../harness/service/index.js'
import { packageFolder } from '../../bin/cli/package.js'
import type { ReferenceFacts } from '../../bin/reference/target.js'

/** The services that share no code with the reference. */
export const independentServices = ['node', 'python'] as const
export type IndependentService = (typeof independentServices)[number]

export interface IndependentFacts extends ReferenceFacts {
  readonly domain: string
  readonly inboxes: readonly ConfiguredInbox[]
}

export interface RunningService {
  readonly facts: IndependentFacts
  close(): Promise<void>
}

const pythonNames = ['python3', 'python'] as const
const oldestPython = 'import sys; sys.exit(sys.version_info < (3, 11))'
const pythonProgram = join(packageFolder(), 'proof/independent/python/main.py')
const clientProgram = join(packageFolder(), 'proof/independent/client/main.py')

/** How a program is started; where it cannot be, why. */
type Command = { readonly argv: readonly string[] } | { readonly missing: string }

/** The command that starts a service; where it cannot be started, why. */
export function commandOf(service: IndependentService): Command {
  if (service === 'node')
    return { argv: [process.execPath, join(packageFolder(), 'dist/proof/independent/node/main.js')] }
  return pythonCommand(pythonProgram)
}

/** Returns the command of the client driver that shares no code with the reference, with some open points decided differently. */
export function clientCommand(freedoms: readonly string[]): Command {
  const command = pythonCommand(clientProgram)
  return 'missing' in command ? command : { argv: [...command.argv, '--with', freedoms.join(',')] }
}

function pythonCommand(program: string): Command {
  if (!existsSync(program)) return { missing: 'the independent service in Python is not part of this package' }
  const python = pythonNames.find((name) => spawnSync(name, ['-c', oldestPython]).status === 0)
  return python === undefined ? { missing: 'needs Python 3.11 or later' } : { argv: [python, '-B', program] }
}

/** Starts a service as a process of its own, without some capabilities of its control interface. */
export async function startIndependent(
  service: IndependentService,
  without: readonly string[] = [],
): Promise<RunningService> {
  const command = commandOf(service)
  if ('missing' in command) throw new Error(command.missing)
  return startProcess([...command.argv, '--without', without.join(',')])
}

/** Starts a program that prints where it is as a line of JSON, and serves until its standard input ends. */
export async function startProcess(argv: readonly string[]): Promise<RunningService> {
  const [program = '', ...args] = argv
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  // One that has ended already reads no end.
  child.stdin.on('error', () => {})
  const line = await firstLine(child)
  return {
    facts: JSON.parse(line) as IndependentFacts,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the service has no standard output')
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error('the service ended before it printed its address')
}
