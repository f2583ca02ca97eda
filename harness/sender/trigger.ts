import { startCommand, type RunningCommand } from '../shell-command.js'

/** A trigger under way: the user's command, or a function of this process. */
export type RunningTrigger = RunningCommand

/** Starts the user's command for one event; `onEnd` is called once, when it has ended. */
export function startTrigger(
  command: string,
  environment: Readonly<Record<string, string>>,
  onEnd: () => void,
): RunningTrigger {
  return startCommand({ command, environment, called: 'the trigger', onEnd })
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
