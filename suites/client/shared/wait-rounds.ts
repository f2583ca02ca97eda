import {
  asText,
  json,
  refusal,
  LoopWatch,
  type ClientContext,
  type ClientHandle,
  type ReceivedRequest,
} from '../../../harness/authoring.js'
import { email, waitsBetween } from './expectations.js'
import type { Waits } from './wait-growth.js'

/** The waits of some calls that were made side by side. */
export interface WaitRound {
  readonly waits: Waits
  /** Calls that ended before they had made all their attempts. */
  readonly endedEarly: number
  /** Attempts of the call that made the most. */
  readonly maxAttempts: number
  /** Whether some calls still waited when the time of a round was over: then only the waits that all had ended count. */
  readonly isCut: boolean
  /** The longest stall of this process meanwhile, in milliseconds. */
  readonly loopDelayMs: number
  readonly tookMs: number
}

/** Calls of each round, where drivers take many at once; the last number stays. */
const concurrentCalls = [24, 48, 96, 192, 240]
/** Time between the beginnings of two calls, in milliseconds: a crowd of them at once would wait for each other. */
const paceMs = 10
/** Longest time of a round, in milliseconds; the driver protocol's own limit for a call is longer. */
const roundMs = 40_000

/** Makes calls that are refused on every attempt but the last, round after round, and resolves to a maker of rounds. */
export async function waitRounds(
  { fleet, isConcurrent, server }: Pick<ClientContext, 'fleet' | 'isConcurrent' | 'server'>,
  retries: number,
): Promise<() => Promise<WaitRound>> {
  const received = new Map<string, ReceivedRequest[]>()
  server.script((request) => {
    const subject = asText((request.json as { subject?: unknown } | undefined)?.subject)
    const attempts = received.get(subject) ?? []
    attempts.push(request)
    received.set(subject, attempts)
    if (attempts.length > retries) return json(200, { id: 'em_1' })
    return refusal(503, 'try_again')
  })
  const call = (handle: ClientHandle, subject: string) => handle.call('emails.send', [{ ...email, subject }])

  const handles = await fleet({ max_retries: retries })
  let round = 0
  return async () => {
    const calls = isConcurrent ? (concurrentCalls[Math.min(round, concurrentCalls.length - 1)] ?? 0) : handles.length
    round++
    const subjects = Array.from({ length: calls }, (_, index) => `round ${round}.${index}`)
    const startedAt = performance.now()
    const { isCut, loopDelayMs } = await LoopWatch.during(async (loopWatch) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const isOver = new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(true), roundMs)
      })
      const all = Promise.all(
        subjects.map(async (subject, index) => {
          await new Promise((resolve) => setTimeout(resolve, index * paceMs))
          const handle = handles[index % handles.length]
          return handle === undefined ? undefined : call(handle, subject)
        }),
      ).then(() => false)
      const isCut = await Promise.race([all, isOver]).finally(() => clearTimeout(timer))
      return { isCut, loopDelayMs: loopWatch.longestSince(startedAt) }
    })
    const lists = subjects.map((subject) => waitsBetween(received.get(subject) ?? []))
    const columns = isCut ? Math.min(...lists.map((list) => list.length)) : retries
    const rows = lists.map((list) => list.slice(0, columns)).filter((list) => list.length === columns)
    return {
      waits: rows,
      endedEarly: calls - rows.length,
      maxAttempts: Math.max(0, ...lists.map((list) => list.length + 1)),
      isCut,
      loopDelayMs,
      tookMs: performance.now() - startedAt,
    }
  }
}
