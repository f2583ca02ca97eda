// Cases that a target is not asked because of what it is, not for want of something: they speak of the events of the interface, of what
// the interface adds, or of retries, and the user judges a consumer of another sender, or a sender of which no schedule is known. Where
// other cases ask the same sentence of it, those decide.

const ofTheEvents = 'asks for events of the interface'
const ofTheProfile = 'asks for what the interface adds'
const ofASchedule = 'needs a schedule of retries'
const beginnings = [ofTheEvents, ofTheProfile, ofASchedule].map((each) => `${each}: `)

export const forOthers = {
  events: (how: string) => `${ofTheEvents}: ${how}`,
  profile: (how: string) => `${ofTheProfile}: ${how}`,
  schedule: (how: string) => `${ofASchedule}: ${how}`,
}

/** Whether a case is left out for what the target is. */
export function isForOthers(reason: string | undefined): boolean {
  return reason !== undefined && beginnings.some((each) => reason.startsWith(each))
}

/** Those of `cases` that speak of this target; all of them, where none does. */
export function ofThisTarget<Each>(
  cases: readonly Each[],
  reasonOf: (each: Each) => string | undefined,
): readonly Each[] {
  const own = cases.filter((each) => !isForOthers(reasonOf(each)))
  return own.length > 0 ? own : cases
}
