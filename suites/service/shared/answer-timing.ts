// When an answer is given within the time of an attempt, and when after it.

/**
 * How late the late answer is, before what passes while it is given, in milliseconds: as late as can be, and where the
 * machine was too busy to give it in time, once more with more to spare.
 */
export const aheadOfAnswerMs = [8_600, 7_200, 5_500] as const

/** An answer that was sent less than this before the end of the answer time may have been too late. */
export const spareMs = 500

/** A sender may count its time from before it connects, through a tunnel and on a busy machine. */
export const connectingMs = 1_000

/** Half a second passes before the clock moves on over an attempt in flight; a little more, and it has. */
export const graceMs = 650

/** Far longer than the half second after which the clock moves on over an attempt, in milliseconds. */
const givenUpWithinMs = 5_000

export const stillOpen = () => new Promise<'open'>((resolve) => setTimeout(resolve, givenUpWithinMs, 'open'))
