import { AsyncLocalStorage } from 'node:async_hooks'

const running = new AsyncLocalStorage<string>()

/** Runs a part of a case so that {@link runningCase} names the case. */
export function runAs<T>(caseId: string, part: () => Promise<T>): Promise<T> {
  return running.run(caseId, part)
}

/** Returns the id of the case on whose behalf the current code runs. */
export function runningCase(): string | undefined {
  return running.getStore()
}
