import { defaultPolicy } from '../../../reference/server/index.js'
import { defineMutant, type Mutant, type Patch } from '../define.js'

const attempts = 'server/engine/attempts.ts'

/** An event of a type whose `key` an earlier one of the org had is taken for that one. */
function takesForOne(key: string): Patch {
  return {
    file: 'server/recorder.ts',
    find: 'const record = insert(event, at)',
    replace: `const known = ((ownState.alikeEvents ??= {})[event.orgId] ??= new Map())
const key = ${key} && event.type + ${key}
if (known.has(key)) return known.get(key)
const record = insert(event, at)
if (key) known.set(key, record)`,
  }
}

/** Deviations that show where several things happen at once, or to ids and bodies that few have. */
export const onceOnlyMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/makes-a-retry-for-each-move-of-the-clock',
    title: 'each of several concurrent moves of the clock makes the due attempts',
    breaks: ['RTY-012', 'DLV-023', 'RTY-011'],
    patch: [
      {
        file: attempts,
        find: 'queue.inFlight.add(attempt)',
        replace: `queue.inFlight.add(attempt)
if (due.attempt > 0 && !due.isAgain && (queue.advance?.waiters.length ?? 0) > 1) start(queue, { ...due, isAgain: true })`,
      },
    ],
  }),
  defineMutant({
    id: 'server/reserves-a-delivery-for-five-seconds',
    title: 'a delivery whose attempt takes longer than five seconds is sent again by another worker',
    breaks: ['DLV-006', 'DLV-007', 'RTY-011'],
    patch: [
      {
        file: attempts,
        find: 'queue.inFlight.add(attempt)',
        replace: `queue.inFlight.add(attempt)
if (!due.isAgain) setTimeout(() => queue.inFlight.has(attempt) && start(queue, { ...due, isAgain: true }), 5000)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/makes-one-replay-at-a-time',
    title: 'merges concurrent replays of one event',
    breaks: ['RPL-002', 'RPL-003'],
    patch: [
      {
        file: attempts,
        find: 'queue.inFlight.add(attempt)',
        replace: `const isReplay = ({ id, webhookId }) => deliveries.get(id, webhookId).replayOf !== null
if (isReplay(due) && [...queue.inFlight].some((each) => isReplay(each.due) && each.due.eventId === due.eventId)) return
queue.inFlight.add(attempt)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/matches-inboxes-by-their-beginning',
    title: 'a webhook gets the events of every inbox whose id begins like its own',
    breaks: ['SCOPE-005'],
    patch: [
      {
        file: 'server/store/directory.ts',
        find: "id: randomId('ibx_'), orgId",
        replace: `id: 'ibx_' + orgId.slice(4) + 'n' + ((ownState.inboxes ??= {})[orgId] = (ownState.inboxes[orgId] ?? 0) + 1), orgId`,
      },
      {
        file: 'server/policy/webhooks.ts',
        find: 'webhookInboxId === null || webhookInboxId === event.inboxId',
        replace: 'webhookInboxId === null || event.inboxId?.startsWith(webhookInboxId) === true',
      },
    ],
  }),
  defineMutant({
    id: 'server/loses-deliveries-whose-answer-is-no-text',
    title: 'an answer whose body contains NUL or invalid UTF-8 is ignored',
    breaks: ['DLV-005', 'DLV-018'],
    policy: {
      isSuccess: (status, attempt, snippet) =>
        defaultPolicy.isSuccess(status, attempt, snippet) && !/[\0\ufffd]/.test(snippet ?? ''),
    },
  }),
  defineMutant({
    id: 'server/takes-an-informational-answer-for-the-answer',
    title: 'treats a 103 as the final answer, a failure',
    breaks: ['DLV-005', 'DLV-006'],
    patch: [
      {
        file: 'server/egress/egress.ts',
        find: 'const answering = pool.request({',
        replace: `let early
const answering = pool.request({ onInfo: ({ statusCode }) => { early ??= statusCode },`,
      },
      {
        file: 'server/egress/egress.ts',
        find: 'status: answer.statusCode,',
        replace: 'status: early ?? answer.statusCode,',
      },
    ],
  }),
  defineMutant({
    id: 'server/has-one-event-of-a-type-for-a-message',
    title: 'drops a second event of one type about a message, for any recipient',
    breaks: ['EVT-016'],
    patch: [takesForOne("event.data['message_id']")],
  }),
  defineMutant({
    id: 'server/takes-events-with-the-same-data-for-one',
    title: 'an event whose data is that of an earlier one is treated as a repeat',
    breaks: ['EVT-016'],
    patch: [takesForOne('JSON.stringify(event.data)')],
  }),
]
