// Sending from a page: a valid delivery, or any of the catalogue of forgeries.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ForgeryKind, InspectorNews, SendAnswer, SendRequest } from '../data.js'
import { Form, Select } from './parts.js'
import { readableMs, visible } from './text.js'

type Seen = Extract<InspectorNews, { kind: 'all' }>

/** The group of a forgery, as a heading of the list. */
const groups: Readonly<Record<string, string>> = {
  'missing-id': 'No id',
  'missing-timestamp': 'No timestamp',
  'missing-signature': 'No signature',
  'wrong-value': 'Wrong signature',
  'part-of-value': 'Part of the signature',
  'other-key': 'Another key',
  'other-hash': 'Another hash',
  'other-content': 'Other content signed',
  changed: 'Changed after signing',
  'hostile-body': 'Hostile body',
  version: 'Another version',
  'loose-entry': 'Signature spelt otherwise',
  'malformed-signature': 'Malformed signature',
  'respelled-timestamp': 'Timestamp spelt otherwise',
  'malformed-timestamp': 'Malformed timestamp',
  stale: 'Too old',
  future: 'From the future',
  several: 'Several signatures, valid',
  beside: 'Another version next to it, valid',
  'beside-malformed': 'A malformed entry next to it, valid',
}

/** Chooses a forgery. */
function ForgerySelect(props: {
  readonly label: string
  readonly kinds: readonly ForgeryKind[]
  readonly value: string
  /** The entry for a valid delivery, if it can be chosen. */
  readonly valid?: string
  readonly onChoose: (name: string) => void
}): JSX.Element {
  const { label, kinds, value, valid, onChoose } = props
  const names = [...new Set(kinds.map(({ group }) => group))]
  return (
    <label class="long">
      {label}
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {valid === undefined ? null : <option value="">{valid}</option>}
        {names.map((name) => (
          <optgroup label={groups[name] ?? name}>
            {kinds
              .filter(({ group }) => group === name)
              .map((kind) => (
                <option value={kind.name}>{visible(kind.title)}</option>
              ))}
          </optgroup>
        ))}
      </select>
    </label>
  )
}

/** Forges a delivery: opens a list of the kinds, and sends the chosen one. */
export function Forge(props: {
  /** The delivery. */
  readonly what: string
  readonly kinds: readonly ForgeryKind[]
  readonly onForge: (name: string) => Promise<void>
}): JSX.Element {
  const { what, kinds, onForge } = props
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState(kinds[0]?.name ?? '')
  return (
    <>
      <button type="button" aria-label={`Forge it: ${what}`} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Forge it
      </button>
      {isOpen ? (
        <span class="fields forge">
          <ForgerySelect label="What is wrong" kinds={kinds} value={name} onChoose={setName} />
          <button type="button" class="main" onClick={() => void onForge(name)}>
            Send
          </button>
        </span>
      ) : null}
    </>
  )
}

/** Sends an event, valid or forged, to the endpoint. */
export function SendForm(props: {
  readonly seen: Seen
  readonly onSend: (wanted: SendRequest) => Promise<void>
}): JSX.Element | null {
  const { seen, onSend } = props
  const [event, setEvent] = useState(seen.events[0] ?? '')
  const [forgery, setForgery] = useState('')
  const [isSending, setSending] = useState(false)
  if (seen.secret === undefined) return null
  async function send(): Promise<void> {
    setSending(true)
    await onSend({ event, ...(forgery === '' ? {} : { forgery }) })
    setSending(false)
  }
  return (
    <Form class="fields" label="Send an event" onSubmit={() => void send()}>
      <Select label="Event" value={event} options={seen.events.map((name) => [name, name])} onChoose={setEvent} />
      <ForgerySelect
        label="Forge it"
        kinds={seen.forgeries}
        valid="no: valid, signed now"
        value={forgery}
        onChoose={setForgery}
      />
      <button class="main" disabled={isSending}>
        {isSending ? 'Waiting for the answer' : 'Send'}
      </button>
    </Form>
  )
}

/** What the last delivery of the page led to. */
export function SendResult({ result }: { readonly result: SendAnswer | undefined }): JSX.Element {
  return <div role="status">{result === undefined ? null : <p class={classOf(result)}>{resultText(result)}</p>}</div>
}

function classOf(result: SendAnswer): string {
  if ('problem' in result) return 'banner nonconformant'
  const { expected, status } = result
  if (status === undefined) return 'banner nonconformant'
  if (expected === undefined || expected === 'either') return 'banner'
  return isAsExpected(expected, status) ? 'banner conformant' : 'banner nonconformant'
}

function isAsExpected(expected: 'refused' | 'accepted', status: number): boolean {
  return (status >= 200 && status < 300) === (expected === 'accepted')
}

function resultText(result: SendAnswer): string {
  if ('problem' in result) return visible(`Not sent: ${result.problem}.`)
  const { title, expected, status, failure, durationMs } = result
  const answer = status === undefined ? `no answer (${failure ?? ''})` : `${status} after ${readableMs(durationMs)}`
  const verdict =
    status === undefined || expected === undefined
      ? ''
      : expected === 'either'
        ? ' The interface leaves the choice.'
        : isAsExpected(expected, status)
          ? ` As expected: it must be ${expected}.`
          : ` Wrong: it must be ${expected}.`
  return visible(`Sent ${title}: ${answer}.${verdict}`)
}
