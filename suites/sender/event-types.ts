// SDR-011 to SDR-019  the data of each of the nine types, in the order of the interface.
//
// Reading: the command gets the type in CONFORMANCE_EVENT_TYPE; one that cannot raise it exits with another code than 0, and the case is
// skipped. So it is if another one of the nine arrives, with the data of its own kind. More fields are legal. If retries are watched the
// first attempt fails: no rule for a retry depends on the type of its event.

import type { EventType, RequirementId } from '../../spec/index.js'
import { senderCase, status } from '../../harness/authoring.js'
import { expectSameEvent, expectSameFields } from './same-event.js'

const requirementOfType: Readonly<Record<EventType, RequirementId>> = {
  'message.received': 'SDR-011',
  'message.queued': 'SDR-012',
  'message.delivered': 'SDR-013',
  'message.deferred': 'SDR-014',
  'message.bounced': 'SDR-015',
  'message.complained': 'SDR-016',
  'message.failed': 'SDR-017',
  'sending.paused': 'SDR-018',
  'sending.resumed': 'SDR-019',
}
const types = Object.keys(requirementOfType) as EventType[]

export const eventTypes = types.map((type) =>
  senderCase({
    id: `sender/event-types/sends-${type.replace('.', '-')}`,
    requirements: [requirementOfType[type]],
    level: 'must',
    title: `a ${type} event and its retry have the data of its kind, on schedule`,
    needs: ['interface'],
    timeoutMs: 7_200_000,
    async run({ send, next, check, require, skip, bodyProblems, schedule, retryDepth }) {
      const isRetried = retryDepth > 1 && schedule.length > 0
      const event = await send({ type, answers: isRetried ? [status(500), status(200)] : [status(200)] })
      const [seen] = event.seen
      if (seen === undefined) return
      if (seen.attempt.method !== 'POST')
        skip('not evaluated: see SDR-001, since it was sent by another method than POST')
      const found = seen.attempt.field('type')
      const problems = bodyProblems(seen).filter(({ where }) => /\.data(\.|$)/.test(where))
      const other = types.find((candidate) => candidate !== type && candidate === found)
      if (other !== undefined && problems.length === 0)
        skip(`needs a trigger that raises ${type}, the value of CONFORMANCE_EVENT_TYPE: ${other} arrived`)
      if (other === undefined && !check.equal('type', found, type)) return
      const ofType = check.of(requirementOfType[other ?? type])
      for (const { where, problem, found: value } of problems) ofType.fail(where, problem, value)
      if (!isRetried) return
      const [delayMs = 0] = schedule
      const later = await next(event, 2, delayMs, require.of('SDR-028'))
      if (later === undefined) return
      expectSameEvent(check, seen, later, delayMs)
      expectSameFields(check, seen, later)
    },
  }),
)
