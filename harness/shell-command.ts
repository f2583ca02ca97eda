import { spawn } from 'node:child_process'
import { Socket } from 'node:net'

/** Kept characters of a command's standard error: the last ones explain the failure. */
const maxStderr = 600
/** Time in which the last output of a command arrives after its end, in milliseconds. */
const lastWordsMs = 20

/** A command under way. */
export interface RunningCommand {
  /** Why it failed; undefined while it runs, and when it ended well. */
  readonly failure: string | undefined
  readonly hasEnded: boolean
  /** Ends it, and what it started, where it still runs. */
  stop(): void
}

export interface ShellCommand {
  /** Run by `sh -c`. */
  readonly command: string
  /** Added to the environment of this process. */
  readonly environment: Readonly<Record<string, string>>
  /** How it is called in a message: `the trigger`. */
  readonly called: string
  /** Called once, when it has ended by itself. */
  readonly onEnd: () => void
}

/** What ends the commands that run; none outlives this process. */
const running = new Set<() => void>()
process.once('exit', () => {
  for (const stop of running) stop()
})

/** Starts a command of the user's. It has ended when its own process has: what it leaves running may hold its output open for ever. */
export function startCommand({ command, environment, called, onEnd }: ShellCommand): RunningCommand {
  let stderr = ''
  let failure: string | undefined
  let hasEnded = false
  // A group of its own: what it starts ends with it.
  const child = spawn('sh', ['-c', command], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  const stop = () => {
    running.delete(stop)
    child.stderr.destroy()
    if (hasEnded || child.pid === undefined) return
    hasEnded = true
    try {
      process.kill(-child.pid, 'SIGTERM')
    } catch {
      // It has just ended.
    }
  }
  const end = (reason?: string) => {
    running.delete(stop)
    // Child processes that it left may still write; this process does not wait for them.
    if (child.stderr instanceof Socket) child.stderr.unref()
    if (hasEnded) return
    hasEnded = true
    failure = reason
    onEnd()
  }
  running.add(stop)
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-maxStderr)
  })
  child.on('error', (error) => end(`${called} could not be started: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (code === 0) end()
    else setTimeout(() => end(`${called} ${failed(code, signal, stderr)}`), lastWordsMs)
  })
  return {
    get failure() {
      return failure
    },
    get hasEnded() {
      return hasEnded
    },
    stop,
  }
}

function failed(code: number | null, signal: string | null, stderr: string): string {
  const how = code === null ? `was ended by ${signal ?? 'a signal'}` : `exited with ${code}`
  const answer = stderr.trim()
  return `${how}${answer === '' ? ' and wrote nothing to standard error' : `: ${answer}`}`
}
