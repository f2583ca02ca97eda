import { asText } from '../wire/json.js'
import { eventTypes, type EventType } from '../../spec/index.js'
import { CaseErrored } from '../check.js'
import { startCommand } from '../shell-command.js'
import { memberOf } from '../wire/exchange.js'
import type { Evidence } from '../wire/evidence.js'
import { pause } from '../wire/pace.js'
import type { Api } from './api.js'
import type { Control } from './control.js'
import { itemsOf } from './answer-readers.js'
import { sampleData } from './sample-data.js'
import type { OrgCursor } from './org-cursor.js'
import type { Trigger } from './target.js'

/** An event the case caused. */
export interface RaisedEvent {
  readonly id: string
  readonly type: EventType
  /** Its data: as raised through the control interface, or as polled where a trigger raised it. */
  readonly data: Readonly<Record<string, unknown>>
  /** A cursor in front of it, so that a long list need not be read from its start; undefined where none is known. */
  readonly listedAfter: string | undefined
  /** Where the email went that caused it, if one did. */
  readonly sentTo?: string
}

/** The event did not appear in the list of events although its cause happened. */
export class EventMissing extends CaseErrored {
  readonly type: EventType
  readonly withinMs: number
  /** What the answers contained instead. */
  readonly got: 'no such event' | 'no list of events' | 'nothing new'

  constructor(type: EventType, withinMs: number, got: EventMissing['got']) {
    super(`no ${type} appeared in GET /v1/events within ${withinMs} ms of its trigger: ${got} in the answers`)
    this.type = type
    this.withinMs = withinMs
    this.got = got
  }
}

export interface RaiseRequest {
  readonly type: EventType
  readonly inboxId: string
  readonly inboxAddress: string
  readonly workspaceId: string
  readonly mark: string
  /** Text before the mark in the subject; `Hello` where absent. */
  readonly subject?: string
  /** Takes the place of the sample data; only where the control interface raises events. */
  readonly data?: Readonly<Record<string, unknown>>
}

export interface Raiser {
  raise(request: RaiseRequest): Promise<RaisedEvent>
}

/** A raiser of the configuration's triggers, which can also be pulled without a look at what they raise. */
export interface TriggerRaiser extends Raiser {
  pull(request: RaiseRequest): Promise<void>
}

export interface ControlRaiserOptions {
  readonly control: Control
  readonly orgId: string
  readonly evidence: Evidence
  /** Returns a cursor before the next event, in an org whose list may be long. */
  readonly listedAfter?: () => Promise<string | undefined>
}

/** Raises through the control interface. */
export function controlRaiser({ control, orgId, evidence, listedAfter }: ControlRaiserOptions): Raiser {
  return {
    async raise({ type, data, ...sample }) {
      const sent = data ?? sampleData(type, sample)
      const after = await listedAfter?.()
      const id = await control.raise({ org_id: orgId, type, data: sent }, evidence)
      return { id, type, data: sent, listedAfter: after }
    },
  }
}

/** Longest wait for a triggered event to appear in the events list, in milliseconds. */
const appearsWithinMs = 60_000
const pollEveryMs = 150

export interface TriggerOptions {
  readonly api: Api
  readonly from: string | undefined
  readonly triggers: Readonly<Partial<Record<EventType, Trigger>>>
  /** Where the search for a triggered event starts; kept by the caller for all cases of an org. */
  readonly cursor: OrgCursor
  /** Longest wait for the event, in milliseconds (default 60 s). */
  readonly withinMs?: number
}

/**
 * Returns a raiser that acts as a user: it sends an email or runs a command of the configuration, then finds the event by polling. Throws
 * {@link EventMissing} if none appears.
 */
export function triggerRaiser(options: TriggerOptions): TriggerRaiser {
  const { api, from, triggers, cursor, withinMs = appearsWithinMs } = options

  /** Resolves to where the email went, where one did. */
  async function pull({
    type,
    inboxAddress,
    mark,
    subject = 'Hello',
    data,
  }: RaiseRequest): Promise<string | undefined> {
    if (data !== undefined) throw new CaseErrored('a trigger cannot raise an event with given data')
    const how = triggers[type] ?? defaultTrigger(type)
    if (how === undefined) throw new CaseErrored(`no trigger for ${type}`)
    if (how.kind === 'command') {
      await runCommand({ type, command: how.command, mark })
      return undefined
    }
    const to = how.kind === 'to' ? how.address : inboxAddress
    const text = `Raised by a conformance run: ${mark}`
    const sent = await api.sendEmail({ from, to, subject: `${subject} ${mark}`, text })
    if (sent.status === undefined || sent.status >= 300)
      throw new CaseErrored(`trigger of ${type}: ${sent.label} answered ${sent.status ?? sent.failure} ${sent.excerpt}`)
    return to
  }

  return {
    pull: async (request) => void (await pull(request)),
    raise: (request) =>
      cursor.exclusively(hasMark(request.type) ? undefined : request.type, async () => {
        const { type, mark } = request
        const after = await cursor.end()
        const sentTo = await pull(request)
        const event = await find({ api, type, mark, after, withinMs, sentTo })
        return sentTo === undefined ? event : { ...event, sentTo }
      }),
  }
}

/**
 * Returns a raiser with triggers for an org that others use. It undoes their effects: if sending was paused, it is resumed when the case
 * ends, whatever its outcome. An active org is paused first to raise a resume.
 */
export function undoingRaiser(
  raiser: TriggerRaiser,
  { canPause, cleanup }: { readonly canPause: boolean; readonly cleanup: (action: () => Promise<void>) => void },
): Raiser {
  let paused: RaiseRequest | undefined
  const resume = async (request: RaiseRequest) => {
    paused = undefined
    await raiser.pull({ ...request, type: 'sending.resumed' })
  }
  cleanup(async () => (paused === undefined ? undefined : resume(paused)))
  return {
    async raise(request) {
      const { type } = request
      if (type === 'sending.paused') {
        if (paused !== undefined) await resume(request)
        // From here on it may be paused, whatever becomes of the request.
        paused = request
      } else if (type === 'sending.resumed') {
        if (paused === undefined && canPause) {
          paused = request
          await raiser.raise({ ...request, type: 'sending.paused' })
        }
        const event = await raiser.raise(request)
        paused = undefined
        return event
      }
      return raiser.raise(request)
    },
  }
}

/** Raises `sending.paused` and `sending.resumed` by pausing and resuming; then finds the event by polling. */
export function sendingRaiser(options: {
  readonly api: Api
  readonly cursor: OrgCursor
  readonly setSending: (status: 'paused' | 'active', reason: string | undefined) => Promise<void>
  readonly withinMs: number
}): Raiser {
  const { api, cursor, setSending, withinMs } = options
  return {
    async raise({ type, mark }) {
      const isPause = type === 'sending.paused'
      if (!isPause) await setSending('paused', mark)
      const after = await cursor.end()
      await setSending(isPause ? 'paused' : 'active', isPause ? mark : undefined)
      return find({ api, type, mark, after, withinMs })
    },
  }
}

/**
 * Finds the first event of a type after `after`; for types whose events contain a mark, the one with it. If others may send at the same
 * time, one of another recipient counts only if none of `sentTo` appears. Throws {@link EventMissing}.
 */
async function find(sought: {
  readonly api: Api
  readonly type: EventType
  readonly mark: string
  readonly after: string | undefined
  readonly withinMs: number
  readonly sentTo?: string | undefined
}): Promise<RaisedEvent> {
  const { api, type, mark, withinMs, sentTo } = sought
  const raised = (event: unknown): RaisedEvent => ({
    id: asText(memberOf(event, 'id')),
    type,
    data: (memberOf(event, 'data') ?? {}) as RaisedEvent['data'],
    listedAfter: sought.after,
  })
  let other: unknown
  const deadline = performance.now() + withinMs
  return api.lists.wait(async (wait) => {
    for (let after = sought.after, isLast = false; !isLast;) {
      const isOver = performance.now() >= deadline
      const page = await api.pollEvents({ after, limit: 100 })
      const events = itemsOf(page) ?? []
      const ofType = events.filter(
        (event) => memberOf(event, 'type') === type && (!hasMark(type) || isMarked(event, mark)),
      )
      const found = ofType.find((event) => !isOfAnother(event, sentTo))
      if (found !== undefined) return raised(found)
      other ??= ofType[0]
      if (isOver) wait.failed(withinMs)
      isLast = isOver || wait.useless !== undefined
      const last = memberOf(events.at(-1), 'id')
      if (typeof last === 'string') after = last
      else if (!isLast) await pause(pollEveryMs)
    }
    if (other !== undefined) return raised(other)
    const { useless = 'no such event' } = wait
    throw new EventMissing(type, withinMs, useless === 'no list' ? 'no list of events' : useless)
  })
}

/** Returns whether an event names another recipient. */
function isOfAnother(event: unknown, sentTo: string | undefined): boolean {
  const recipient = memberOf(memberOf(event, 'data'), 'recipient')
  return sentTo !== undefined && typeof recipient === 'string' && !recipient.includes(sentTo)
}

/** An email makes these two by itself. */
export function defaultTrigger(type: EventType): Trigger | undefined {
  return type === 'message.received' || type === 'message.queued' ? { kind: 'send_to_inbox' } : undefined
}

function hasMark(type: EventType): boolean {
  return eventTypes[type] === 'received' || eventTypes[type] === 'queued'
}

function isMarked(event: unknown, mark: string): boolean {
  const subject = memberOf(memberOf(event, 'data'), 'subject')
  return typeof subject === 'string' && subject.includes(mark)
}

/** Runs the command of a trigger. It may contain a key by now, so it must appear in no list of processes and no message. */
function runCommand({ type, command, mark }: { type: EventType; command: string; mark: string }): Promise<void> {
  const called = `the command that raises ${type}`
  return new Promise((resolve, reject) => {
    const running = startCommand({
      command: 'eval "$CONFORMANCE_COMMAND"',
      environment: { CONFORMANCE_MARK: mark, CONFORMANCE_COMMAND: command },
      called,
      onEnd: () => {
        clearTimeout(timer)
        if (running.failure === undefined) resolve()
        else reject(new CaseErrored(running.failure))
      },
    })
    const timer = setTimeout(() => {
      running.stop()
      reject(new CaseErrored(`${called} did not end within ${appearsWithinMs / 1_000} s`))
    }, appearsWithinMs)
  })
}
