import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { cut, cutFront } from '../wire/cut.js'
import { memberOf } from '../wire/exchange.js'
import { parseJson } from '../wire/json.js'
import { FoldedStderr } from './folded-stderr.js'
import { replyOf, startsWithinMs, type DriverLink, type DriverReply, type DriverSource } from './link.js'

export interface DriverOptions {
  readonly command: readonly [string, ...string[]]
  /** How the command is called in messages; its words where absent. */
  readonly label?: string
  /** Secrets among its words. */
  readonly secrets?: readonly string[]
  /** Called with what the driver writes to standard error, line by line. */
  readonly onStderr?: (line: string) => void
}

/** Drivers that are processes of one command. */
export function driverCommand(options: DriverOptions): DriverSource {
  const stderr = new FoldedStderr(options.onStderr)
  const { command, label = command.join(' '), secrets = [] } = options
  return { label, secrets, start: () => new DriverProcess(options, stderr) }
}

const isPosix = process.platform !== 'win32'

/** Longest line a driver may write, in characters. */
const longestLine = 4 * 1024 * 1024
/** Characters of standard error that are kept for a message, and of one line. */
const stderrLimits = { kept: 8_000, line: 2_000 } as const
/** Unexpected answers in a row after which a driver is ended. */
const maxUnrequested = 1_000
/** Time a driver has to exit at end of input, in milliseconds. */
const exitWithinMs = 2_000
/** Time what a driver wrote before its exit has to arrive, in milliseconds; a child of it may hold the pipe open longer. */
const drainMs = 500

/** Drivers that run; none outlives this process. */
const running = new Set<DriverProcess>()
process.once('exit', () => {
  for (const driver of running) driver.kill()
})

interface Waiting {
  readonly answer: (reply: DriverReply) => void
  readonly timer: NodeJS.Timeout
  /** Waits on while the driver answers others. */
  readonly isPatient: boolean
}

/** One running driver: JSON objects, one a line, over standard input and output (docs/contract.md, section 4). */
export class DriverProcess implements DriverLink {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #pending = new Map<number, Waiting>()
  readonly #exited: Promise<void>
  #nextId = 1
  #buffer = ''
  #hasAnswered = false
  #stderr = ''
  #stderrLine = ''
  readonly #stderrOfAll: FoldedStderr
  #unrequested = 0
  #ended: string | undefined
  /** Invalid output from before the request: the next request gets it. */
  #stray: DriverReply | undefined

  constructor({ command, onStderr }: DriverOptions, stderrOfAll = new FoldedStderr(onStderr)) {
    const [program, ...args] = command
    this.#stderrOfAll = stderrOfAll
    // A group of its own: what the driver itself starts, as a shell or npm does, ends with it.
    this.#child = spawn(program, args, { stdio: 'pipe', env: driverEnvironment(), detached: isPosix })
    running.add(this)
    this.#child.stdin.on('error', () => {})
    const stdout = this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text))
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => this.#readStderr(text))
    this.#exited = new Promise((resolve) => {
      this.#child.once('error', (error: NodeJS.ErrnoException) => {
        running.delete(this)
        const why = error.code === 'ENOENT' ? `there is no program ${program}` : error.message
        this.#end(`could not be started: ${why}`)
        resolve()
      })
      this.#child.once('exit', (code, signal) => {
        running.delete(this)
        const end = () => {
          clearTimeout(timer)
          this.#end(signal === null ? `exited with ${code}` : `was ended by ${signal}`)
          resolve()
        }
        const timer = setTimeout(end, drainMs)
        if (stdout.readableEnded || stdout.destroyed) end()
        else stdout.once('close', end)
      })
    })
  }

  get isAlive(): boolean {
    return this.#ended === undefined
  }

  get isBusy(): boolean {
    return this.#pending.size > 0
  }

  /**
   * Sends one request; resolves to the answer with its id, or to why there is none. A driver may answer one request after the other, so it
   * is silent only when nothing at all arrived for `withinMs`; before its first answer it has the time to start as well. One that is
   * `isConcurrent` has no such excuse.
   */
  async call(
    request: Readonly<Record<string, unknown>>,
    withinMs: number,
    startMs: number = startsWithinMs,
    isConcurrent = false,
  ): Promise<DriverReply> {
    if (this.#ended !== undefined) return { kind: 'died', how: this.#ended, stderr: this.#stderr }
    const stray = this.#stray
    this.#stray = undefined
    if (stray !== undefined) return stray
    const id = this.#nextId++
    return new Promise((resolve) => {
      const limitMs = this.#hasAnswered ? withinMs : withinMs + startMs
      const timer = setTimeout(() => this.#settle(id, { kind: 'silent', afterMs: limitMs }), limitMs)
      this.#pending.set(id, { answer: resolve, timer, isPatient: !isConcurrent })
      this.#child.stdin.write(`${oneLine({ id, ...request })}\n`)
    })
  }

  /** Ends the input and waits for the exit; resolves to the exit code, undefined when it had to be killed. */
  async close(): Promise<number | undefined> {
    this.#child.stdin.end()
    const timer = setTimeout(() => this.kill(), exitWithinMs)
    await this.#exited
    clearTimeout(timer)
    this.#child.stdout.destroy()
    this.#child.stderr.destroy()
    return this.#child.exitCode ?? undefined
  }

  /** Ends the process at once, and what it started. */
  kill(): void {
    const { pid } = this.#child
    this.#child.stdin.destroy()
    if (pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return
    try {
      process.kill(isPosix ? -pid : pid, 'SIGKILL')
    } catch {
      this.#child.kill('SIGKILL')
    }
  }

  #readStderr(text: string): void {
    this.#stderr = cutFront(this.#stderr + text, stderrLimits.kept)
    const lines = (this.#stderrLine + text).split('\n')
    this.#stderrLine = cut(lines.pop() ?? '', stderrLimits.line)
    for (const line of lines) this.#stderrOfAll.add(cut(line, stderrLimits.line))
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
    const answer = parseJson(line)
    const id = memberOf(answer, 'id')
    if (typeof answer !== 'object' || answer === null || typeof id !== 'number') {
      this.#fail({ kind: 'garbage', line: cut(line, 200) })
      return
    }
    this.#hasAnswered = true
    this.#unrequested = this.#pending.has(id) ? 0 : this.#unrequested + 1
    if (this.#unrequested > maxUnrequested) {
      this.#fail({ kind: 'garbage', line: `${maxUnrequested} answers to no request, such as ${cut(line, 100)}` })
      this.kill()
      return
    }
    // A driver that answers one request after the other now works on the next; an unexpected answer proves nothing.
    if (this.#pending.has(id)) for (const { timer, isPatient } of this.#pending.values()) if (isPatient) timer.refresh()
    this.#settle(id, replyOf(answer as Readonly<Record<string, unknown>>))
  }

  #settle(id: number, reply: DriverReply): void {
    const waiting = this.#pending.get(id)
    if (waiting === undefined) return
    this.#pending.delete(id)
    clearTimeout(waiting.timer)
    waiting.answer(reply)
  }

  #fail(reply: DriverReply): void {
    if (this.#pending.size === 0 && reply.kind === 'garbage') this.#stray = reply
    for (const id of this.#pending.keys()) this.#settle(id, reply)
  }

  #end(how: string): void {
    if (this.#ended !== undefined) return
    this.#ended = how
    if (this.#stderrLine !== '') this.#stderrOfAll.add(this.#stderrLine)
    this.#fail({ kind: 'died', how, stderr: this.#stderr })
  }
}

/** The run's environment without the keys in it: a driver gets everything it needs through the protocol. */
function driverEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CONFORMANCE_')))
}

/** JSON without the characters that some readers of lines take for the end of one. */
function oneLine(value: unknown): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replace(/[\u0085\u2028\u2029]/g, escape)
}
