import { patchesOfServer, type Patch } from '../define.js'

const events = 'server/store/event-store.ts'

/** Marks an event with a pending delivery for which `condition` holds. */
function tellsPending(condition: string): Patch {
  return {
    file: events,
    find: 'return { nextNumber,',
    replace: `const pending = store.prepare("select 1 from deliveries where event_id = ? and status = 'pending' and ${condition}")
const isWaitedFor = ({ id }) => pending.get(id) !== undefined
return { nextNumber,`,
  }
}

/** Leaves awaited events out of the list. */
const listsTheOthers: Patch = {
  file: events,
  find: "return { json: text(json) ?? '', lastId: text(lastId) }",
  replace: `const shown = JSON.parse('[' + (text(json) ?? '') + ']').filter((event) => !isWaitedFor(event))
return { json: shown.map((event) => JSON.stringify(event)).join(), lastId: shown.at(-1)?.id }`,
}

/** Leaves awaited events out of the backlog of a stream. */
const resumesWithTheOthers: Patch = {
  file: events,
  find: 'return statement.all(...values).map(toEvent)',
  replace: 'return statement.all(...values).map(toEvent).filter((event) => !isWaitedFor(event))',
}

/** Deviations of one channel while another is at work on the same event. */
export const narrowChannelMutants = patchesOfServer([
  [
    'lists-what-was-attempted',
    'lists an event only after the first attempts of its deliveries, out of order',
    ['POL-003'],
    tellsPending('attempt = 0'),
    listsTheOthers,
  ],
  [
    'lists-what-waits-for-no-retry',
    'an event is not listed while a delivery of it waits for a retry',
    ['POL-003'],
    tellsPending('attempt > 0'),
    listsTheOthers,
  ],
  [
    'resumes-with-what-was-attempted',
    'an event is missing from backlogs until its first attempts have ended',
    ['STR-005'],
    tellsPending('attempt = 0'),
    resumesWithTheOthers,
  ],
  [
    'resumes-with-what-waits-for-no-retry',
    'an event is missing from backlogs while a delivery waits for a retry',
    ['STR-005'],
    tellsPending('attempt > 0'),
    resumesWithTheOthers,
  ],
  [
    'streams-what-was-attempted',
    'streams an event only after the first attempt of a delivery, out of order',
    ['STR-007'],
    {
      file: 'server/recorder.ts',
      find: 'fanOut(record, at)',
      replace: `const before = deliveries.made
fanOut(record, at)
if (deliveries.made !== before) {
  (ownState.unattempted ??= new Map()).set(record.id, () => publish(record))
  return record
}`,
    },
    {
      file: 'server/store/delivery-store.ts',
      find: "const id = randomId('dlv_')",
      replace: "this.made = (this.made ?? 0) + 1\nconst id = randomId('dlv_')",
    },
    {
      file: 'server/engine/attempts.ts',
      find: 'const { deadline } = attempt',
      replace: `const { deadline } = attempt
ownState.unattempted?.get(attempt.due.eventId)?.()
ownState.unattempted?.delete(attempt.due.eventId)`,
    },
  ],
])
