// How cases send mail, and learn what became of it.
//
// Reading: mail may be handed over a while after it was taken, and listed a while after that. So what must be there is
// waited for, and what must not be there is looked for some time longer than something like it took.

import {
  asText,
  itemsOf,
  memberOf,
  type Api,
  type Checks,
  type Exchange,
  type Project,
  type Sandbox,
} from '../../../harness/authoring.js'
import { eventsAfter, eventsOnce } from './event-log.js'

/** An email as the interface shows it: with one recipient, as a text. */
export function email(project: Project, to: string, subject: string): Record<string, unknown> {
  return { from: project.from, to, subject, text: `Text of ${subject}` }
}

/** The address of `from` without the display name. */
export function bareAddress(from: string | undefined): string {
  return (from ?? '').replace(/^.*<([^>]+)>$/, '$1')
}

/** The id of an email that was sent; ends the case when it was not. */
export function idOf(require: Checks, answer: Exchange): string {
  require.of('SND-001').status(answer, '2xx')
  const id = answer.field('id')
  require
    .of('SND-001')
    .ok('id in the answer to POST /v1/emails', typeof id === 'string' && id !== '', 'a text or a number', id)
  return asText(id)
}

/** Returns the ids in the answer to a batch; the interface shows neither the form of an entry of `data` nor that it has an id. */
export function idsIn(answer: Exchange): string[] {
  return (itemsOf(answer) ?? []).map((item) => memberOf(item, 'id')).filter((id) => typeof id === 'string')
}

/** Whether a request was taken. */
export function isEmailAccepted(answer: Exchange): boolean {
  return answer.status !== undefined && answer.status >= 200 && answer.status < 300
}

/** Whether a send took all that it was given: a batch may leave out what it does not take. */
export function isBatchAccepted(answer: Exchange): boolean {
  const errors = answer.field('errors')
  return isEmailAccepted(answer) && !(Array.isArray(errors) && errors.length > 0)
}

/** A member of the data of a listed event. */
export function dataOf(event: unknown, name: string): unknown {
  return memberOf(memberOf(event, 'data'), name)
}

/** The mail to find in an org's list. */
export interface MailQuery {
  /** Subjects that must be there; a repeated one must be there twice. */
  readonly expected: readonly string[]
  /** A cursor before the mail. */
  readonly after: string | undefined
  /** Longest wait for expected mail, in milliseconds. */
  readonly withinMs?: number
}

/** Shortest wait for late mail when the expected one arrived at once, in milliseconds. */
const leastLateMs = 500
/** The wait for late mail, as a multiple of the time of the expected one. */
const lateTimes = 3
/** Longest wait for something late, in milliseconds. */
const maxLateMs = 5_000

/**
 * Returns the subjects of the `message.queued` events after `after`, as often as each is listed, once the expected ones are among them or
 * the wait is over, and late ones have had their time too.
 */
export async function queuedSubjects(sandbox: Sandbox, { api }: Project, query: MailQuery): Promise<string[]> {
  const { expected, after, withinMs } = query
  const startedAt = performance.now()
  const subjectsOf = (events: readonly unknown[]) =>
    events
      .filter((event) => memberOf(event, 'type') === 'message.queued')
      .map((event) => asText(dataOf(event, 'subject')))
  const hasExpected = (events: readonly unknown[]) => {
    const subjects = subjectsOf(events)
    return expected.every((subject) => timesIn(subjects, subject) >= timesIn(expected, subject))
  }
  await eventsOnce(sandbox, api, hasExpected, { after, withinMs })
  await waitQuietly(sandbox, performance.now() - startedAt)
  return subjectsOf(await eventsAfter(api, after))
}

/** Waits for forbidden events, if a similar one took `tookMs` milliseconds. */
export async function waitQuietly(sandbox: Sandbox, tookMs: number): Promise<void> {
  await sandbox.quiet(Math.min(leastLateMs + lateTimes * tookMs, maxLateMs))
}

/** Checks that `subjects` contains each of `expected` as often as expected, and nothing else with `mark` in it. */
export function checkQueued(
  check: Checks,
  subjects: readonly string[],
  { mark, expected, what }: { readonly mark: string; readonly expected: readonly string[]; readonly what: string },
): boolean {
  return check.equal(what, subjects.filter((subject) => subject.includes(mark)).sort(), [...expected].sort())
}

export function timesIn(list: readonly unknown[], item: unknown): number {
  return list.filter((other) => other === item).length
}

/** Returns the events of the list after `after` that `isMatch`, once there is one or `withinMs` are over. */
export async function eventsWhere(
  sandbox: Sandbox,
  api: Api,
  { isMatch, after, withinMs }: { isMatch: (event: unknown) => boolean; after: string | undefined; withinMs: number },
): Promise<unknown[]> {
  const events = await eventsOnce(sandbox, api, (all) => all.some(isMatch), { after, withinMs })
  return events.filter(isMatch)
}
