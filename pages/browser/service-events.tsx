import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Copyable, Form, Opening, Select } from './parts.js'
import { inboxesOf, typesOf, type Facts, type ServiceEvent } from './service.js'
import { clock, counted, visible } from './text.js'

interface EventsProps {
  readonly events: readonly ServiceEvent[]
  readonly facts: Facts | undefined
  /** Raises events of these types, with data of the reader's own where there is one. */
  readonly onRaise: (request: object) => Promise<void>
  readonly onTrouble: (text: string) => void
}

/** The events as they arrive, and a form to raise any. */
export function Events({ events, facts, onRaise, onTrouble }: EventsProps): JSX.Element {
  const [type, setType] = useState('')
  const shown = events.filter((event) => type === '' || event.type === type)
  return (
    <section aria-labelledby="events-title">
      <h2 id="events-title">Events</h2>
      <Raise facts={facts} onRaise={onRaise} onTrouble={onTrouble} />
      <div class="fields">
        <Select label="Show" value={type} options={[['', 'every event'], ...typesOf(facts)]} onChoose={setType} />
        <span class="small" role="status">
          {shown.length === 0 ? 'No event yet' : counted(shown.length, 'event')}
        </span>
      </div>
      <div class="events">
        {shown.map((event) => (
          <Opening
            key={event.id}
            class="event"
            label={
              <>
                <span class="small">{clock(event.timestamp ?? event.created_at ?? '')}</span>{' '}
                <b>{visible(event.type)}</b> <code class="small">{visible(event.id)}</code>
              </>
            }
          >
            {() => <Copyable text={JSON.stringify(event, null, 2)} what={`event ${event.id}`} />}
          </Opening>
        ))}
      </div>
    </section>
  )
}

interface RaiseProps {
  readonly facts: Facts | undefined
  readonly onRaise: EventsProps['onRaise']
  readonly onTrouble: (text: string) => void
}

/** One of each at a click, or one event whose data can be edited first. */
function Raise({ facts, onRaise, onTrouble }: RaiseProps): JSX.Element {
  const [type, setType] = useState('')
  const [inbox, setInbox] = useState('')
  const [data, setData] = useState('')
  function choose(next: string): void {
    setType(next)
    setData(next === '' ? '' : JSON.stringify(facts?.samples[next] ?? {}, null, 2))
  }
  async function raise(): Promise<void> {
    const inboxId = inbox === '' ? {} : { inbox_id: inbox }
    if (type === '') return onRaise({ types: facts?.event_types ?? [], ...inboxId })
    let edited: unknown
    try {
      edited = JSON.parse(data)
    } catch (error) {
      return onTrouble(`The data is not JSON: ${error instanceof Error ? error.message : String(error)}`)
    }
    // Data that was not touched is made again, so that each message is its own.
    const isTouched = data !== JSON.stringify(facts?.samples[type] ?? {}, null, 2)
    return onRaise({ types: [type], ...inboxId, ...(isTouched ? { data: edited } : {}) })
  }
  return (
    <Form class="fields" label="Send an event" onSubmit={() => void raise()}>
      <Select label="Event" value={type} options={[['', 'one of each'], ...typesOf(facts)]} onChoose={choose} />
      <Select
        label="Inbox"
        value={inbox}
        options={inboxesOf(facts).map(([id, words], index) => [index === 0 ? '' : id, words])}
        onChoose={setInbox}
      />
      <button class="main">Send</button>
      {type === '' ? null : (
        <label class="wide">
          Data
          <textarea spellcheck={false} value={data} onInput={(event) => setData(event.currentTarget.value)} />
        </label>
      )}
    </Form>
  )
}
