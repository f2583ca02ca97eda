// How cases schedule mail, and let its time come. What clock moves it is open (open point clock-and-mail): schedules.ts says more.

import { type Scene, type ServiceContext } from '../../harness/authoring.js'
import { email, idOf, queuedSubjects, timesIn } from './sent-mail.js'

const minute = 60_000
export const hour = 60 * minute

/** Longest time an email may be sent late in real time, in milliseconds: schedulers that look once a minute are common. */
export const lateMs = 75_000
/** Longest wait for mail that a moved clock has made due, in milliseconds; where none comes, the clock does not move mail. */
export const movedMs = 2_000
/** Longest time of a case that may have to wait for mail in real time, in milliseconds. */
export const scheduleTimeoutMs = 150_000

/** The workspace's time in so many hours, as a whole minute. */
export function inHours(scene: Scene, hours: number): string {
  return new Date(Math.ceil((scene.now() + hours * hour) / minute) * minute).toISOString()
}

export function inSeconds(scene: Scene, seconds: number): string {
  return new Date(scene.now() + seconds * 1000).toISOString()
}

/** Times in seconds: when an email is scheduled first, and when it is moved to. */
interface Plan {
  readonly name: string
  readonly first: number
  readonly moved?: number
}

/** Schedules an email for each plan; its subject, or undefined where so near a time was refused. */
export async function schedule(
  context: ServiceContext,
  { scene, plans }: { readonly scene: Scene; readonly plans: readonly Plan[] },
): Promise<string[]> {
  const { project } = scene
  const subjects: string[] = []
  const at = (seconds: number) => new Date(scene.now() + seconds * 1000).toISOString()
  for (const { name, first, moved } of plans) {
    const subject = `${name} ${context.unique()}`
    const sent = await project.api.sendEmail({ ...email(project, context.recipient, subject), scheduled_at: at(first) })
    if (sent.status !== undefined && sent.status >= 400 && sent.status < 500)
      context.skip(`needs a service that lets an email be scheduled ${first} seconds ahead; it answered ${sent.status}`)
    const id = idOf(context.require, sent)
    if (moved !== undefined)
      context.require.of('SND-010').status(await project.api.updateEmail(id, { scheduled_at: at(moved) }), '2xx')
    subjects.push(subject)
  }
  return subjects
}

/**
 * Lets the time of scheduled emails come, and holds that each is sent once: by the clock of the workspace where that moves
 * mail (`hours`, passed in steps), else in real time (`seconds`). The last of each is due last: the others are there with it.
 */
export async function sendOnce(
  context: ServiceContext,
  { hours, stepHours, seconds }: { hours: readonly Plan[]; stepHours: readonly number[]; seconds: readonly Plan[] },
): Promise<void> {
  const { check, measure } = context
  const scene = await context.scene()
  if (scene.time === 'virtual') {
    const inSecondsOf = (each: number) => each * 3600
    const plans = hours.map(({ name, first, moved }) => ({
      name,
      first: inSecondsOf(first),
      ...(moved === undefined ? {} : { moved: inSecondsOf(moved) }),
    }))
    const subjects = await schedule(context, { scene, plans })
    for (const each of stepHours) await scene.advance(each * hour)
    const witness = subjects.slice(-1)
    const queued = await queuedSubjects(scene, scene.project, { owed: witness, after: undefined, withinMs: movedMs })
    if (witness.every((each) => queued.includes(each))) {
      measure('scheduled mail is moved by', 'the clock of the workspace')
      for (const each of subjects) check.of('SND-016').equal(`times ${each} was sent`, timesIn(queued, each), 1)
      return
    }
  }
  measure('scheduled mail is moved by', 'real time')
  const live = scene.time === 'virtual' ? await context.scene() : scene
  const after = await live.project.listEnd()
  const subjects = await schedule(context, { scene: live, plans: seconds })
  const queued = await queuedSubjects(live, live.project, { owed: subjects.slice(-1), after, withinMs: lateMs })
  for (const each of subjects) check.of('SND-016').equal(`times ${each} was sent`, timesIn(queued, each), 1)
}
