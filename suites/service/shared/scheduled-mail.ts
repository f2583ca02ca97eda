import {
  AnswerLost,
  instantOf,
  type Api,
  type Exchange,
  type Project,
  type Sandbox,
  type ServiceContext,
  type Checks,
} from '../../../harness/authoring.js'
import { email, idOf, queuedSubjects, timesIn, isEmailAccepted } from './sent-mail.js'
// Schedules mail for cases, and lets its time pass. It is open which clock moves it (open point clock-and-mail); see schedules.ts.

/** Longest time a record may lag after a change, and tolerance of a shown time, in milliseconds. */
const [lagMs, roundedMs] = [5_000, 1_000]

const minute = 60_000
export const hour = 60 * minute

/** Longest time an email may be sent late in real time, in milliseconds: schedulers that look once a minute are common. */
export const lateMs = 75_000
/** Longest wait for mail that a moved clock has made due, in milliseconds; if none arrives, the clock does not move mail. */
export const movedMs = 2_000
/** Longest time of a case that may have to wait for mail in real time, in milliseconds. */
export const scheduleTimeoutMs = 150_000

/** Returns the workspace's time in this many hours, as a whole minute. */
export function inHours(sandbox: Sandbox, hours: number): string {
  return new Date(Math.ceil((sandbox.now() + hours * hour) / minute) * minute).toISOString()
}

/** Returns an email of the first project, scheduled this many hours ahead of the workspace's clock. */
export function scheduledEmail(
  sandbox: Sandbox,
  recipient: string,
  subject: string,
  hours: number,
): Record<string, unknown> & { readonly scheduled_at: string } {
  return { ...email(sandbox.project, recipient, subject), scheduled_at: inHours(sandbox, hours) }
}

export function inSeconds(sandbox: Sandbox, seconds: number): string {
  return new Date(sandbox.now() + seconds * 1000).toISOString()
}

/** Offsets from UTC, in hours and as they are written: the ends of the earth, parts of an hour to either side, and none. */
export const zones = [
  [14, '+14:00'],
  [-12, '-12:00'],
  [5.5, '+05:30'],
  [-3.5, '-03:30'],
  [0, '+00:00'],
] as const

/** How far a service's clock may be ahead of ours, in milliseconds. */
const clockMs = 2_000

/** Times in seconds: when an email is scheduled first, and when it is moved to, one move after the other. */
interface Plan {
  /** Runs while it waits, before it is moved. */
  readonly meanwhile?: () => Promise<void>
  readonly name: string
  readonly first: number
  readonly moved?: number | readonly number[]
}

/** Each time an email is moved to. */
function movesOf({ moved = [] }: Plan): readonly number[] {
  return typeof moved === 'number' ? [moved] : moved
}

/** Schedules an email for each plan; its subject, or undefined where so near a time was refused. */
export async function schedule(
  context: ServiceContext,
  { sandbox, plans }: { readonly sandbox: Sandbox; readonly plans: readonly Plan[] },
): Promise<string[]> {
  const { project } = sandbox
  const subjects: string[] = []
  const at = (seconds: number) => new Date(sandbox.now() + seconds * 1000).toISOString()
  for (const plan of plans) {
    const { name, first } = plan
    const firstAt = at(first)
    const subject = `${name} ${context.unique()}`
    const sent = await project.api.sendEmail({ ...email(project, context.recipient, subject), scheduled_at: firstAt })
    if (sent.status !== undefined && sent.status >= 400 && sent.status < 500)
      context.skip(`needs a service that lets an email be scheduled ${first} seconds ahead; it answered ${sent.status}`)
    const id = idOf(context.require, sent)
    let due = instantOf(firstAt)
    await plan.meanwhile?.()
    for (const moved of movesOf(plan)) {
      const movedAt = moved === first ? firstAt : at(moved)
      const askedAt = sandbox.now()
      const answer = await project.api.updateEmail(id, { scheduled_at: movedAt })
      const isRefused = answer.status !== undefined && answer.status >= 400 && answer.status < 500
      // Slow answers leave no time to move it: it may have been sent by then, whether the record shows that or not.
      if (isRefused ? sandbox.now() >= due - clockMs : askedAt >= due - clockMs / 2)
        throw new AnswerLost(`an email ${first} s ahead could not be moved before its time: answers were too slow`)
      context.require.of('SND-010').status(answer, '2xx')
      due = instantOf(movedAt)
    }
    subjects.push(subject)
  }
  return subjects
}

/**
 * Lets the time of scheduled emails pass, and checks that each is sent once: by the clock of the workspace if that moves mail (`hours`,
 * passed in steps), else in real time (`seconds`). The last of each list is due last, so all others are there with it.
 */
export async function sendOnce(
  context: ServiceContext,
  { hours, stepHours, seconds }: { hours: readonly Plan[]; stepHours: readonly number[]; seconds: readonly Plan[] },
): Promise<void> {
  const { check, measure } = context
  const sandbox = await context.openSandbox()
  if (sandbox.time === 'virtual') {
    const inSecondsOf = (hours: number) => hours * 3600
    const plans = hours.map((plan) => ({
      name: plan.name,
      first: inSecondsOf(plan.first),
      moved: movesOf(plan).map(inSecondsOf),
    }))
    const subjects = await schedule(context, { sandbox, plans })
    const times = new Map(plans.map(({ first, moved }, index) => [subjects[index] ?? '', moved.at(-1) ?? first]))
    let passed = 0
    for (const hours of stepHours) {
      await sandbox.advance(hours * hour)
      passed += hours * 3600
      await checkOrder(context, { sandbox, times, passed })
    }
    const witness = subjects.slice(-1)
    const queued = await queuedSubjects(sandbox, sandbox.project, {
      expected: witness,
      after: undefined,
      withinMs: movedMs,
    })
    if (witness.every((subject) => queued.includes(subject))) {
      measure('scheduled mail is moved by', 'the clock of the workspace')
      for (const subject of subjects)
        check.of('SND-016').equal(`how often "${subject}" was sent`, timesIn(queued, subject), 1)
      return
    }
  }
  measure('scheduled mail is moved by', 'real time')
  const live = sandbox.time === 'virtual' ? await context.openSandbox() : sandbox
  const after = await live.project.listEnd()
  const subjects = await schedule(context, { sandbox: live, plans: seconds })
  const queued = await queuedSubjects(live, live.project, { expected: subjects.slice(-1), after, withinMs: lateMs })
  for (const subject of subjects)
    check.of('SND-016').equal(`how often "${subject}" was sent`, timesIn(queued, subject), 1)
}

/** Checks that no due email is left unsent while some due after it were sent. A late worker sends all. */
async function checkOrder(
  { check }: ServiceContext,
  options: {
    readonly sandbox: Sandbox
    /** Subjects, and the second at which each is due. */
    readonly times: ReadonlyMap<string, number>
    /** Seconds that the clock was moved so far. */
    readonly passed: number
  },
): Promise<void> {
  const { sandbox, times, passed } = options
  const due = [...times].filter(([, at]) => at <= passed)
  if (due.length < 2) return
  const expected = due.map(([subject]) => subject)
  const queued = await queuedSubjects(sandbox, sandbox.project, { expected, after: undefined, withinMs: movedMs })
  const latest = Math.max(...due.filter(([subject]) => queued.includes(subject)).map(([, at]) => at))
  const leftBehind = due.filter(([subject, at]) => at < latest && !queued.includes(subject)).map(([subject]) => subject)
  check.of('SND-016').equal('mail that was not sent when mail due after it was', leftBehind, [])
}

/** Seconds ahead for which mail is scheduled whose time is waited for, at least. */
const aheadSeconds = 10
/** Most requests about such mail before its time: with slow answers it is scheduled later by the duration of this many. */
const requestsAhead = 6
/** One slow answer does not predict the next ones. */
const mostSlownessSeconds = 30

/** The emails scheduled for one time. */
interface Scheduled {
  /** Subject of an email that is sent then. */
  readonly kept: string
  /** Those of others that are; a service may take its time for many. */
  readonly others?: readonly string[]
  /** Checks the subjects of sent emails, once the kept one is among them. */
  checkSent(queued: readonly string[]): void
}

/**
 * Schedules mail for one time by `put`, lets that time pass, and checks the sent mail: by the clock of the workspace if that moves mail,
 * else in real time.
 */
export async function checkWhenDue(
  context: ServiceContext,
  put: (sandbox: Sandbox, scheduledAt: string) => Promise<Scheduled>,
): Promise<void> {
  const sandbox = await context.openSandbox()
  const isVirtual = sandbox.time === 'virtual'
  for (const live of isVirtual ? [sandbox, await context.openSandbox()] : [sandbox]) {
    const isMoved = live.time === 'virtual' && live === sandbox
    const after = await live.project.listEnd()
    const scheduledAt = isMoved ? inHours(live, 2) : inSeconds(live, aheadSeconds + (await slownessSeconds(live)))
    const { kept, others = [], checkSent } = await put(live, scheduledAt)
    if (isMoved) await live.advance(3 * hour)
    const queued = await queuedSubjects(live, live.project, {
      expected: [kept],
      after,
      withinMs: isMoved ? movedMs : Math.max(0, instantOf(scheduledAt) - live.now()) + lateMs,
    })
    if (isMoved && timesIn(queued, kept) === 0) continue
    context.require.of('SND-016').equal('how often the email that was not cancelled was sent', timesIn(queued, kept), 1)
    const expected = [kept, ...others]
    checkSent(
      others.length === 0 ? queued : await queuedSubjects(live, live.project, { expected, after, withinMs: lateMs }),
    )
    return
  }
}

/** How long the requests take that are made of mail before its time. */
async function slownessSeconds({ project }: Sandbox): Promise<number> {
  const { durationMs } = await project.api.pollEvents({ limit: 1 })
  return Math.min(mostSlownessSeconds, (requestsAhead * durationMs) / 1_000)
}

/** Ends the case as uncertain if the mail's time passed meanwhile: the request may have been too late. */
export function needsTimeLeft(sandbox: Sandbox, scheduledAt: string): void {
  if (sandbox.now() < instantOf(scheduledAt) - clockMs) return
  throw new AnswerLost('an email was not cancelled before its time: answers were too slow')
}

/** Skips where mail cannot be scheduled so near. */
export function skipUnlessAccepted({ skip }: ServiceContext, answer: Exchange, what: string): void {
  if (answer.status !== undefined && answer.status >= 400 && answer.status < 500)
    skip(`needs a service that lets ${what} be scheduled ${aheadSeconds} seconds ahead; it answered ${answer.status}`)
}

/** Schedules two emails for one time and cancels the first, and holds that the second alone is sent. `by` is the key for it. */
export function checkCancelled(
  context: ServiceContext,
  by: (project: Project) => Api = ({ api }) => api,
): Promise<void> {
  const { check, require, skip, unique } = context
  return checkWhenDue(context, async (sandbox, scheduledAt) => {
    const { project } = sandbox
    const [cancelled, kept] = [`cancelled ${unique()}`, `kept ${unique()}`]
    const mail = (subject: string) => ({ ...email(project, context.recipient, subject), scheduled_at: scheduledAt })
    const api = by(project)
    const [first, second] = [await api.sendEmail(mail(cancelled)), await project.api.sendEmail(mail(kept))]
    skipUnlessAccepted(context, first, 'an email')
    const answer = await api.cancelEmail(idOf(require, first))
    // Its clock may be ahead of ours, so that the email was sent by then; of one that waits for hours SND-011 is judged elsewhere.
    if (answer.status === undefined || answer.status >= 300)
      return skip(`needs a service that cancels an email ${aheadSeconds} seconds before its time: ${answer.status}`)
    needsTimeLeft(sandbox, scheduledAt)
    idOf(require, second)
    return {
      kept,
      checkSent: (queued) => check.equal('how often the cancelled email was sent', timesIn(queued, cancelled), 0),
    }
  })
}

/** The `scheduled_at` of an email, once it is `expected` or cannot be waited for any longer; undefined where it is not shown. */
export async function shownTime(sandbox: Sandbox, id: string, expected: string): Promise<unknown> {
  let shown: unknown
  await sandbox.until(async () => {
    const answer = await sandbox.project.api.getEmail(id)
    shown = answer.field('scheduled_at') ?? undefined
    return isSameTime(shown, expected) || (isEmailAccepted(answer) && shown === undefined)
  }, lagMs)
  return shown
}

export function isSameTime(shown: unknown, expected: string): boolean {
  return Math.abs(instantOf(shown) - instantOf(expected)) <= roundedMs
}

/** Checks the `scheduled_at` that an email shows, where it shows one. */
export async function checkTime(
  check: Checks,
  sandbox: Sandbox,
  { id, at }: { id: string; at: string },
): Promise<void> {
  const shown = await shownTime(sandbox, id, at)
  check.of('SND-018').ok('scheduled_at of the email', shown === undefined || isSameTime(shown, at), at, shown)
}

/** Hours ahead: three days, forty (more milliseconds than a timer of 31 bits has), and some decades. */
export const farHours = [72, 40 * 24, 30 * 365 * 24]
