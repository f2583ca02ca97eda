// Mail that the service carries to its own inboxes, and its events.
import { memberOf, mentions, type Project, type Sandbox, serviceCase } from '../../../harness/authoring.js'
import { eventsAfter, eventsOnce } from './event-log.js'
import { bareAddress, dataOf, waitQuietly } from './sent-mail.js'

/** Longest wait in virtual time for a service that carries mail to its own inboxes, in milliseconds. */
export const carriedWithinMs = 3_000

export const notCarried = 'needs a service that carries mail to its own inboxes'

/** An email that was sent, and to whom. */
export interface Sent {
  readonly subject: string
  readonly to: string
  /** Who sent it, where that is held. */
  readonly from?: string | undefined
  /** The inbox that has the address. */
  readonly inboxId?: string | undefined
}

export function isOf(type: string, subject: string): (event: unknown) => boolean {
  return (event) => memberOf(event, 'type') === type && dataOf(event, 'subject') === subject
}

/**
 * The events of the org, read once each email of `sent` to an inbox was received, or the wait for it is over, and later events had time
 * to follow.
 */
export async function eventsOf(
  sandbox: Sandbox,
  { api }: Project,
  {
    sent,
    after,
    withinMs,
  }: { readonly sent: readonly Sent[]; readonly after: string | undefined; readonly withinMs: number },
): Promise<readonly unknown[]> {
  const startedAt = performance.now()
  const expected = sent.filter(({ inboxId }) => inboxId !== undefined)
  const hasAll = (events: readonly unknown[]) =>
    expected.every(({ subject, to }) => events.some(isOf('message.received', subject)) && events.some(isDelivered(to)))
  await eventsOnce(sandbox, api, hasAll, { after, withinMs })
  await waitQuietly(sandbox, performance.now() - startedAt)
  return eventsAfter(api, after)
}

export function isDelivered(to: string): (event: unknown) => boolean {
  return (event) => memberOf(event, 'type') === 'message.delivered' && mentions(dataOf(event, 'recipient') ?? '', to)
}

/** Checks the events of emails, each to another address. */
export function checkEvents(
  check: Parameters<Parameters<typeof serviceCase>[0]['run']>[0]['check'],
  events: readonly unknown[],
  sent: readonly Sent[],
): void {
  for (const [index, { subject, to, from, inboxId }] of sent.entries()) {
    const name = `email ${index + 1} of ${sent.length}`
    const queued = events.filter(isOf('message.queued', subject))
    check.of('EVT-004').equal(`message.queued events of ${name}`, queued.length, 1)
    check.of('EVT-004').ok(`to of ${name}`, mentions(dataOf(queued[0], 'to') ?? '', to), to, dataOf(queued[0], 'to'))
    if (inboxId === undefined) continue
    const received = events.filter(isOf('message.received', subject))
    const inboxes = received.map((event) => dataOf(event, 'inbox_id'))
    check.of('EVT-003').equal(`inboxes in which ${name} was received`, inboxes, [inboxId])
    const sender = dataOf(received[0], 'from')
    if (from !== undefined && received.length > 0)
      check.of('EVT-003').ok(`from of ${name}`, mentions(sender, bareAddress(from)), bareAddress(from), sender)
    const delivered = events.filter(isDelivered(to))
    check.of('EVT-005').equal(`message.delivered events of ${name}`, delivered.length, 1)
    if (queued.length !== 1 || delivered.length !== 1) continue
    for (const field of ['message_id', 'inbox_id', 'thread_id']) {
      const [reported, expected] = [delivered, queued].map(([event]) => dataOf(event, field) ?? null)
      check.of('EVT-005').equal(`${field} of the delivered events of ${name}`, reported, expected)
    }
  }
  const queued = events.filter((event) => sent.some(({ subject }) => isOf('message.queued', subject)(event)))
  const messages = queued.map((event) => dataOf(event, 'message_id'))
  check.of('EVT-004').equal('different messages that were queued', new Set(messages).size, messages.length)
}
