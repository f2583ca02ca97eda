import { spawn } from 'node:child_process'

/** Characters of a command's standard error that are kept: its last ones say what went wrong. */
const maxStderr = 600

/** A command under way. */
export interface RunningTrigger {
  /** Why it failed; undefined while it runs, and when it ended well. */
  readonly failure: string | undefined
  readonly hasEnded: boolean
  /** Ends it, and what it started, where it still runs. */
  stop(): void
}

/** Starts the user's command for one event; `onEnd` is called once, when it has ended. */
export function startTrigger(
  command: string,
  environment: Readonly<Record<string, string>>,
  onEnd: () => void,
): RunningTrigger {
  let stderr = ''
  let failure: string | undefined
  let hasEnded = false
  const end = (reason?: string) => {
    if (hasEnded) return
    hasEnded = true
    failure = reason
    onEnd()
  }
  const child = spawn('sh', ['-c', command], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-maxStderr)
  })
  child.on('error', (error) => end(`the trigger could not be started: ${error.message}`))
  child.on('exit', (code, signal) => {
    // What it wrote last may come a moment after its end; whoever it left behind may hold the pipe open for ever.
    if (code === 0) end()
    else setTimeout(() => end(failed(code, signal, stderr)), 20)
  })
  return {
    get failure() {
      return failure
    },
    get hasEnded() {
      return hasEnded
    },
    stop: () => {
      child.stderr.destroy()
      if (hasEnded || child.pid === undefined) return
      hasEnded = true
      try {
        process.kill(-child.pid, 'SIGTERM')
      } catch {
        // It has just ended.
      }
    },
  }
}

/** Calls a function of this process for one event; `onEnd` is called once, when it has ended. */
export function callTrigger(call: () => void | Promise<void>, onEnd: () => void): RunningTrigger {
  let failure: string | undefined
  let hasEnded = false
  const end = (reason?: string) => {
    hasEnded = true
    failure = reason
    onEnd()
  }
  void Promise.resolve()
    .then(call)
    .then(
      () => end(),
      (error: unknown) => end(`the trigger failed: ${error instanceof Error ? error.message : String(error)}`),
    )
  return {
    get failure() {
      return failure
    },
    get hasEnded() {
      return hasEnded
    },
    stop: () => {},
  }
}

function failed(code: number | null, signal: string | null, stderr: string): string {
  const how = code === null ? `was ended by ${signal ?? 'a signal'}` : `exited with ${code}`
  const said = stderr.trim()
  return `the trigger ${how}${said === '' ? ' and wrote nothing to standard error' : `: ${said}`}`
}
