// Cases that a target is not asked because of what it is, not for want of something: they speak of the events of the interface, or of
// what the interface adds, and the user judges a consumer of another sender. Where other cases ask the same sentence of it, those decide.

const ofTheEvents = 'asks for events of the interface'
const ofTheProfile = 'asks for what the interface adds'

export const forOthers = {
  events: (how: string) => `${ofTheEvents}: ${how}`,
  profile: (how: string) => `${ofTheProfile}: ${how}`,
}

/** Whether a case is left out for what the target is. */
export function isForOthers(reason: string | undefined): boolean {
  return reason !== undefined && (reason.startsWith(`${ofTheEvents}: `) || reason.startsWith(`${ofTheProfile}: `))
}

/** Those of `cases` that speak of this target; all of them, where none does. */
export function ofThisTarget<Each>(
  cases: readonly Each[],
  reasonOf: (each: Each) => string | undefined,
): readonly Each[] {
  const own = cases.filter((each) => !isForOthers(reasonOf(each)))
  return own.length > 0 ? own : cases
}
