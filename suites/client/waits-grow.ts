// CLI-016  "Retries wait with exponential backoff: the waits grow."
// CLI-017  "Retries wait with jitter: the waits differ."
//
// Reading: no base, factor or bound is stated. Jitter may shorten a wait to nothing, so one wait proves little: growth and jitter are
// measured over many calls (shared/wait-growth.ts), in rounds that continue until the verdict is certain, or the time is up: then there is
// no failure, and undecided facts count as not tested. Waits are measured from our answer to the next arrival, which is never shorter than
// the client's wait. A busy machine makes waits longer, never shorter: without jitter many of them still crowd at the shortest one, and
// with any jitter they do not.

import { TooBusy, clientCase } from '../../harness/authoring.js'
import { crowdedShare, judgeWaits, type WaitJudgement } from './shared/judge-waits.js'
import { waitRounds, type WaitRound } from './shared/wait-rounds.js'

const manyRetries = 5
/** Where drivers make one call after the other, more of them in the same time are worth more than the longest waits. */
const fewRetries = 3
/** Another round of calls begins if it would end by then, in milliseconds. */
const roundsWithinMs = 36_000
/** Calls after which nothing more is learnt. */
const enoughCalls = 600

export const waitsGrow = [
  clientCase({
    id: 'client/backoff/waits-grow-and-differ',
    requirements: ['CLI-016', 'CLI-017'],
    level: 'must',
    title: 'over many calls the third wait is longer than the first, and first waits vary',
    timeoutMs: 180_000,
    async run({ fleet, isConcurrent, server, check, require, measure, skip }) {
      const retries = isConcurrent ? manyRetries : fewRetries
      const startedAt = performance.now()
      const nextRound = await waitRounds({ fleet, isConcurrent, server }, retries)
      const rounds: WaitRound[] = []
      let judged: WaitJudgement
      let longestMs = 0
      do {
        const round = await nextRound()
        rounds.push(round)
        longestMs = Math.max(longestMs, round.tookMs)
        // Control: without retries there are no waits.
        if (!round.isCut)
          require
            .of(round.maxAttempts < 2 ? 'CLI-014' : 'CLI-007')
            .equal(`calls that ended before their ${retries} retries were used up`, round.endedEarly, 0)
        judged = judgeWaits(rounds, retries)
        if (judged.columns < 3)
          skip(
            `the waits of this client are too long: fewer than three retries within ${Math.round(longestMs / 1000)} s`,
          )
      } while (
        !judged.isSure &&
        rounds.reduce((sum, round) => sum + round.waits.length, 0) < enoughCalls &&
        !rounds.some((round) => round.isCut) &&
        performance.now() - startedAt + longestMs * 1.1 < roundsWithinMs
      )
      measure('waits_ms', judged.figures)
      measure(
        'rounds',
        rounds.map((round) => ({ calls: round.waits.length, loop_delay_ms: Math.round(round.loopDelayMs) })),
      )
      const figures = `${judged.figures.map((figure) => figure.typical).join(', ')} over ${judged.calls} calls`
      if (!judged.hasStillRound && !judged.areEqual && judged.bare === undefined)
        throw new TooBusy(`this machine was too busy to judge whether waits differ (${figures})`)
      const isUndecided = judged.growth === 'undecided'
      if (isUndecided ? !judged.isQuiet && !judged.areEqual : !judged.isTrusted && judged.growth !== 'exponential')
        throw new TooBusy(`this machine was too busy to judge how waits grow (${figures})`)
      if (isUndecided && !judged.areEqual)
        skip(`${judged.calls} calls do not show how the waits of this client grow: ${figures}`)
      check
        .of('CLI-016')
        .ok(
          'milliseconds before each retry, typically',
          judged.growth === 'exponential' || isUndecided,
          'waits that grow exponentially',
          judged.growth === 'level'
            ? `waits that hardly grow: ${figures}`
            : `waits that grow by the same amount each time: ${figures}`,
        )
      check
        .of('CLI-016')
        .ok('wait before the first retry', !judged.beginsAtOnce, 'a wait, as before the second', `none: ${figures}`)
      check
        .of('CLI-017')
        .ok(
          `waits before retry ${judged.bare ?? 1} over ${judged.calls} calls`,
          judged.bare === undefined || judged.beginsAtOnce,
          'waits that differ',
          `nearly all as long as the shortest one: ${figures}`,
        )
      check
        .of('CLI-017')
        .ok(
          `retries whose waits are alike over ${judged.calls} calls`,
          !judged.areEqual,
          `less than half of ${judged.columns}`,
          `${judged.equalWaits}: of their waits ${crowdedShare * 100} % and more are as long as the shortest one`,
        )
    },
  }),
]
