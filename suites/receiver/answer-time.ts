// RCV-002  "The answer arrives within 10 seconds."
// RCV-017  "Deliveries that arrive concurrently are all answered."

import { answerTimeMs } from '../../spec/index.js'
import { loadEventSamples } from '../../fixtures/index.js'
import { CaseErrored, receiverCase } from '../../harness/authoring.js'

/** Deliveries with a measured answer, and the longest time for them with a slow receiver, in milliseconds. */
const samples = 30
const enoughMs = 60_000

/** A delivery of a steady load may be sent so late, in milliseconds. */
const maxLateMs = 1_000

export const answerTime = [
  receiverCase({
    id: 'receiver/answer-time/answers-within-10-seconds',
    requirements: ['RCV-002'],
    level: 'must',
    needs: ['interface-profile'],
    title: 'valid deliveries of all types are answered with a 2xx within 10 seconds',
    timeoutMs: 120_000,
    async run({ delivery, accepts, check, measure, unique, ownEvents }) {
      const startedAt = performance.now()
      const ofTypes = loadEventSamples().map((event) => () => delivery({ event: { ...event, id: `evt_${unique()}` } }))
      const makers = ownEvents.length > 0 ? ownEvents.map((own) => own.delivery) : ofTypes
      const times: number[] = [(await accepts(delivery())).durationMs]
      const isInTime = () => Math.max(...times) <= answerTimeMs && performance.now() - startedAt < enoughMs
      while (times.length < samples && isInTime()) {
        const make = makers[times.length - 1] ?? delivery
        times.push((await accepts(make())).durationMs)
      }
      times.sort((a, b) => a - b)
      const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0)
      measure('answer_time_ms', { samples: times.length, p50: at(0.5), p95: at(0.95), worst: at(1) })
      check.between('slowest answer in milliseconds', at(1), 0, answerTimeMs)
    },
  }),

  // Runs last, after all forgeries: an endpoint that hangs for ever after some of them loses every later event.
  receiverCase({
    id: 'receiver/answer-time/still-answers-at-the-end',
    requirements: ['RCV-002'],
    level: 'must',
    needs: ['interface-profile'],
    title: 'after all other deliveries, one of three valid ones is answered in time',
    phase: 'last',
    timeoutMs: 120_000,
    async run({ stillAnswers }) {
      await stillAnswers()
    },
  }),

  receiverCase({
    id: 'receiver/answer-time/holds-a-steady-load',
    requirements: ['RCV-017'],
    level: 'should',
    title: 'a steady load of valid deliveries is answered with 2xx, each within 10 seconds',
    needs: ['load'],
    timeoutMs: 3_600_000,
    async run({ delivery, accepts, check, measure, load, signal }) {
      const { perSecond, seconds } = load ?? { perSecond: 1, seconds: 1 }
      const startedAt = performance.now()
      const total = Math.max(1, Math.round(perSecond * seconds))
      const answers: Promise<number>[] = []
      let lateMs = 0
      for (let count = 0; count < total && !signal.aborted; count++) {
        const dueIn = startedAt + (count * 1000) / perSecond - performance.now()
        if (dueIn > 0) await new Promise((resolve) => setTimeout(resolve, dueIn))
        lateMs = Math.max(lateMs, -dueIn)
        answers.push(accepts(delivery()).then((answer) => answer.durationMs))
      }
      const times = (await Promise.all(answers)).sort((a, b) => a - b)
      const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0)
      measure('steady_load', {
        asked_per_second: perSecond,
        sent: times.length,
        sent_late_by: Math.round(lateMs),
        p50: at(0.5),
        p95: at(0.95),
        worst: at(1),
      })
      // Waiting here proves nothing about the endpoint, and without the full load there is no result.
      if (lateMs > maxLateMs)
        throw new CaseErrored(
          `this machine cannot send ${perSecond} deliveries a second: one was ${Math.round(lateMs)} ms late; use a lower --rps, or send from several machines (conformance init --load artillery)`,
        )
      check.between('slowest answer in milliseconds', at(1), 0, answerTimeMs)
    },
  }),
]
