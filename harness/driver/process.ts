import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { memberOf } from '../wire/exchange.js'
import { startsWithinMs, type DriverLink, type DriverReply, type DriverSource } from './link.js'

export interface DriverOptions {
  readonly command: readonly [string, ...string[]]
  /** Called with what the driver writes to standard error, line by line. */
  readonly onStderr?: (line: string) => void
}

/** Drivers that are processes of one command. */
export function driverCommand(options: DriverOptions): DriverSource {
  return { label: options.command.join(' '), start: () => new DriverProcess(options) }
}

/** Longest line a driver may write, in characters. */
const longestLine = 64 * 1024 * 1024
/** Characters of standard error that are kept for a message. */
const keptStderr = 2_000
/** Time a driver has to exit at end of input, in milliseconds. */
const exitWithinMs = 2_000

interface Waiting {
  readonly answer: (reply: DriverReply) => void
  readonly timer: NodeJS.Timeout
}

/** One running driver: JSON objects, one a line, over standard input and output (contract section 4). */
export class DriverProcess implements DriverLink {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #pending = new Map<number, Waiting>()
  readonly #exited: Promise<void>
  #nextId = 1
  #buffer = ''
  #hasAnswered = false
  #stderr = ''
  #ended: string | undefined

  constructor({ command, onStderr }: DriverOptions) {
    const [program, ...args] = command
    this.#child = spawn(program, args, { stdio: 'pipe', env: driverEnvironment() })
    this.#child.stdin.on('error', () => {})
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text))
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-keptStderr)
      for (const line of text.split('\n')) if (line !== '') onStderr?.(line)
    })
    this.#exited = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        this.#end(`could not be started: ${error.message}`)
        resolve()
      })
      this.#child.once('exit', (code, signal) => {
        this.#end(signal === null ? `exited with ${code}` : `was ended by ${signal}`)
        resolve()
      })
    })
  }

  get isAlive(): boolean {
    return this.#ended === undefined
  }

  /**
   * Sends one request; resolves to the answer with its id, or to why there is none. A driver may answer one request after
   * the other, so it is silent only when nothing at all came for `withinMs`; before its first answer it has the time to
   * start as well.
   */
  async ask(request: Readonly<Record<string, unknown>>, withinMs: number): Promise<DriverReply> {
    if (this.#ended !== undefined) return { kind: 'died', how: this.#ended, stderr: this.#stderr }
    const id = this.#nextId++
    return new Promise((resolve) => {
      const limitMs = this.#hasAnswered ? withinMs : withinMs + startsWithinMs
      const timer = setTimeout(() => this.#settle(id, { kind: 'silent', afterMs: limitMs }), limitMs)
      this.#pending.set(id, { answer: resolve, timer })
      this.#child.stdin.write(`${oneLine({ id, ...request })}\n`)
    })
  }

  /** Ends the input and waits for the exit; resolves to the exit code, undefined when it had to be killed. */
  async close(): Promise<number | undefined> {
    this.#child.stdin.end()
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), exitWithinMs)
    await this.#exited
    clearTimeout(timer)
    this.#child.stdout.destroy()
    this.#child.stderr.destroy()
    return this.#child.exitCode ?? undefined
  }

  /** Ends the process at once. */
  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #read(text: string): void {
    this.#buffer += text
    if (this.#buffer.length > longestLine) {
      this.#buffer = ''
      this.#fail({ kind: 'garbage', line: `a line of more than ${longestLine} characters` })
      this.kill()
      return
    }
    if (!text.includes('\n')) return
    const lines = this.#buffer.split('\n')
    this.#buffer = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') this.#take(line)
  }

  #take(line: string): void {
    const answer = parse(line)
    const id = memberOf(answer, 'id')
    if (typeof answer !== 'object' || answer === null || typeof id !== 'number') {
      this.#fail({ kind: 'garbage', line: line.slice(0, 200) })
      return
    }
    const fields = answer as Record<string, unknown>
    const { unsupported } = fields
    this.#hasAnswered = true
    for (const { timer } of this.#pending.values()) timer.refresh()
    this.#settle(
      id,
      unsupported === undefined ? { kind: 'answer', fields } : { kind: 'unsupported', why: String(unsupported) },
    )
  }

  #settle(id: number, reply: DriverReply): void {
    const waiting = this.#pending.get(id)
    if (waiting === undefined) return
    this.#pending.delete(id)
    clearTimeout(waiting.timer)
    waiting.answer(reply)
  }

  #fail(reply: DriverReply): void {
    for (const id of this.#pending.keys()) this.#settle(id, reply)
  }

  #end(how: string): void {
    this.#ended ??= how
    this.#fail({ kind: 'died', how, stderr: this.#stderr })
  }
}

/** The run's environment without the keys it holds: a driver is told what it needs by the protocol. */
function driverEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CONFORMANCE_')))
}

/** JSON without the characters that some readers of lines take for the end of one. */
function oneLine(value: unknown): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replace(/[\u0085\u2028\u2029]/g, escape)
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
