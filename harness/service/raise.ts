import { execFile } from 'node:child_process'
import { eventTypes, type EventType } from '../../spec/index.js'
import { CaseErrored } from '../check.js'
import { memberOf } from '../wire/exchange.js'
import { cut } from '../wire/cut.js'
import type { Evidence } from '../wire/evidence.js'
import type { Api } from './api.js'
import type { Control } from './control.js'
import { itemsOf } from './read.js'
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
}

export interface RaiseRequest {
  readonly type: EventType
  readonly inboxId: string
  readonly inboxAddress: string
  readonly workspaceId: string
  readonly mark: string
  /** Takes the place of the sample data; only where the control interface raises events. */
  readonly data?: Readonly<Record<string, unknown>>
}

export interface Raiser {
  raise(request: RaiseRequest): Promise<RaisedEvent>
}

export interface ControlRaiserOptions {
  readonly control: Control
  readonly orgId: string
  readonly evidence: Evidence
  /** A cursor in front of what is raised next, in an org whose list may be long. */
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
}

/** Raises by what a user can do: an email, or a command of the configuration; then finds the event by polling. */
export function triggerRaiser({ api, from, triggers, cursor }: TriggerOptions): Raiser {
  return {
    async raise({ type, inboxAddress, mark, data }) {
      if (data !== undefined) throw new CaseErrored('an event with data of its own cannot be raised by a trigger')
      const trigger = triggers[type] ?? defaultTrigger(type)
      if (trigger === undefined) throw new CaseErrored(`no trigger for ${type}`)
      return cursor.exclusively(hasMark(type) ? undefined : type, async () => {
        const start = await cursor.end()
        await pull(trigger)
        return find(start)
      })

      async function pull(how: Trigger): Promise<void> {
        if (how.kind === 'command') return runCommand({ type, command: how.command, mark })
        const to = how.kind === 'to' ? how.address : inboxAddress
        const sent = await api.sendEmail({
          from,
          to: [to],
          subject: `Hello ${mark}`,
          text: `Raised by a conformance run: ${mark}`,
        })
        if (sent.status === undefined || sent.status >= 300)
          throw new CaseErrored(
            `trigger of ${type}: ${sent.label} answered ${sent.status ?? sent.failure} ${sent.excerpt}`,
          )
      }

      async function find(start: string | undefined): Promise<RaisedEvent> {
        const deadline = performance.now() + appearsWithinMs
        for (let after = start; performance.now() < deadline;) {
          const page = await api.pollEvents({ after, limit: 100 })
          const events = itemsOf(page) ?? []
          const found = events.find(
            (each) => memberOf(each, 'type') === type && (!hasMark(type) || isMarked(each, mark)),
          )
          if (found !== undefined)
            return {
              id: String(memberOf(found, 'id')),
              type,
              data: (memberOf(found, 'data') ?? {}) as RaisedEvent['data'],
              listedAfter: start,
            }
          const last = memberOf(events.at(-1), 'id')
          if (typeof last === 'string') after = last
          else await new Promise((resolve) => setTimeout(resolve, pollEveryMs))
        }
        throw new CaseErrored(`no ${type} appeared in GET /v1/events within ${appearsWithinMs} ms of its trigger`)
      }
    },
  }
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

/** Runs the command of a trigger. It may hold a key by now, so that it stands in no list of processes and no message. */
function runCommand({ type, command, mark }: { type: EventType; command: string; mark: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(
      '/bin/sh',
      ['-c', 'eval "$CONFORMANCE_COMMAND"'],
      { timeout: appearsWithinMs, env: { ...process.env, CONFORMANCE_MARK: mark, CONFORMANCE_COMMAND: command } },
      (error, _out, stderr) => {
        if (error === null) return resolve()
        const how =
          typeof error.code === 'number' ? `exited with ${error.code}` : (error.code ?? `was ended by ${error.signal}`)
        reject(new CaseErrored(`the command that raises ${type} ${how}: ${cut(stderr.trim(), 500)}`))
      },
    )
  })
}
