import type { Reporter } from '../../harness/reporters/index.js'
import type { Rerun, WatchRound } from '../run/round.js'
import { writeOutput } from '../cli/output.js'
import { startUiServer } from './server.js'
import type { RunState } from './state.js'

/** One round: its cases, its signal, its reporter. */
export interface RoundOptions {
  readonly again: Rerun | undefined
  readonly signal: AbortSignal
  readonly reporter: Reporter
}

/** Serves the page of a run, runs, then waits for requests of the page. Resolves to the last round when the program is interrupted. */
export async function uiRounds(options: {
  readonly state: RunState
  readonly signal: AbortSignal
  readonly needsEveryCase: (ids: readonly string[]) => boolean
  readonly run: (round: RoundOptions) => Promise<WatchRound>
}): Promise<WatchRound> {
  const { state, signal, needsEveryCase, run } = options
  let wake: (() => void) | undefined
  let wanted: { readonly ids: readonly string[] | undefined } | undefined
  let stop: AbortController | undefined
  const server = await startUiServer(state, {
    rerun(what) {
      if (state.isRunning) return 'a round is under way'
      const ids = what === 'failed' ? state.failed : what === 'all' ? undefined : what
      if (ids?.length === 0) return 'no case failed'
      wanted = { ids }
      wake?.()
      return undefined
    },
    stop() {
      if (!state.isRunning) return 'no round is under way'
      stop?.abort()
      return undefined
    },
  })
  writeOutput(`Page  ${server.url}\nInterrupt to end.\n`)
  const onAbort = () => wake?.()
  signal.addEventListener('abort', onAbort)
  const once = async (ids: readonly string[] | undefined, earlier: WatchRound | undefined): Promise<WatchRound> => {
    const stopped = new AbortController()
    stop = stopped
    state.begin(ids)
    return run({
      again: ids === undefined || earlier === undefined ? undefined : { caseIds: ids, earlier: earlier.report },
      signal: AbortSignal.any([signal, stopped.signal]),
      reporter: state.reporter(() => stopped.signal.aborted || signal.aborted),
    })
  }
  try {
    let round = await once(undefined, undefined)
    while (!signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve
        if (wanted !== undefined || signal.aborted) resolve()
      })
      const next = wanted
      wanted = undefined
      // Cases that judge the observations of all others see nothing when they run alone.
      if (next !== undefined)
        round = await once(next.ids !== undefined && needsEveryCase(next.ids) ? undefined : next.ids, round)
    }
    return round
  } finally {
    signal.removeEventListener('abort', onAbort)
    await server.close()
  }
}
