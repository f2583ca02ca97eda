import { asText, memberOf, type Checks, type Sandbox, type Stream, type Webhook } from '../../../harness/authoring.js'
import { eventsAfter, idsOf } from './event-log.js'

/** The outlets that show the events of the org, other than its list. */
export class Outlets {
  readonly #sandbox: Sandbox
  readonly #require: Checks
  readonly #stream: Stream
  readonly #webhook: Webhook

  constructor(sandbox: Sandbox, require: Checks, outlets: { readonly stream: Stream; readonly webhook: Webhook }) {
    this.#sandbox = sandbox
    this.#require = require
    this.#stream = outlets.stream
    this.#webhook = outlets.webhook
  }

  /** Compares the stream, the webhook and the list of each inbox with the list of the org, once none of them lags. */
  async compare(): Promise<void> {
    const { project } = this.#sandbox
    let events: readonly unknown[] = []
    let own: readonly (readonly unknown[])[] = []
    const idsAt = () =>
      this.#webhook
        .attempts()
        .map((attempt) => asText(attempt.field('id')))
        .sort()
    const ofInbox = (id: string) => events.filter((event) => memberOf(memberOf(event, 'data'), 'inbox_id') === id)
    const isSame = (one: readonly unknown[], other: readonly unknown[]) => JSON.stringify(one) === JSON.stringify(other)
    // How long a connection lasts is the service's.
    const expected = (ids: readonly string[]) =>
      this.#stream.closeCode === undefined ? ids : ids.slice(0, this.#stream.ids.length)
    await this.#sandbox.until(async () => {
      events = await eventsAfter(project.api)
      own = await Promise.all(project.inboxes.map(({ api }) => eventsAfter(api)))
      const ids = idsOf(events).map(asText)
      return (
        isSame(idsAt(), [...ids].sort()) &&
        isSame(this.#stream.ids.map(asText), expected(ids)) &&
        project.inboxes.every(({ id }, index) => isSame(idsOf(own[index] ?? []), idsOf(ofInbox(id))))
      )
    })
    const ids = idsOf(events).map(asText)
    this.#require.of('EVT-014').equal('events at the webhook', idsAt(), [...ids].sort())
    this.#require.of('EVT-014').equal('events of the stream', this.#stream.ids.map(asText), expected(ids))
    for (const [index, { id }] of project.inboxes.entries())
      this.#require
        .of('SCOPE-001')
        .equal('events that the key of an inbox lists', idsOf(own[index] ?? []), idsOf(ofInbox(id)))
    this.#stream.close()
  }
}
