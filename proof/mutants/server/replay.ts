import { defineMutant, type Mutant } from '../define.js'

/** Deviations in replays. */
export const replayMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/replays-with-200',
    title: 'a replay answers 200',
    breaks: ['RPL-001'],
    policy: {
      replayAnswer: (shown) => ({ status: 200, body: shown }),
    },
  }),
  defineMutant({
    id: 'server/replays-without-a-name',
    title: 'replay_of is not set',
    breaks: ['RPL-004'],
    policy: { replayOf: () => null },
  }),
]
