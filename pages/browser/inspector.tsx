// The page of an endpoint: `serve receiver`, and `listen`.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { InspectedDelivery, InspectorNews, ReceiverMode, SendAnswer, SendRequest } from '../data.js'
import { useAddress } from './address.js'
import { OutcomeChips, Search } from './filters.js'
import { useNews } from './follow.js'
import { Inspected, outcomeOf, outcomes, typeOf } from './inspected.js'
import { mount } from './mount.js'
import { Choice, CopyButton, Form, SecretText } from './parts.js'
import { SendForm, SendResult } from './send.js'
import { useShortcuts } from './shortcuts.js'
import { counted, searchFor, visible } from './text.js'

const modes: Readonly<Record<ReceiverMode, string>> = {
  right: 'as it should',
  fails: '500',
  redirects: 'a redirect',
  slow: 'after 11 s',
}

type Seen = Extract<InspectorNews, { kind: 'all' }>

/** Deliveries that are kept here. */
const most = 200

function grown(seen: Seen | undefined, news: InspectorNews): Seen | undefined {
  if (news.kind === 'all') return news
  if (seen === undefined) return undefined
  if (news.kind === 'mode') return { ...seen, mode: news.mode }
  return { ...seen, received: [news.delivery, ...seen.received].slice(0, most) }
}

const post = (path: string, body: unknown) =>
  fetch(path, { method: 'POST', body: JSON.stringify(body) }).catch(() => undefined)

function Page(): JSX.Element {
  const { state: seen, isThere } = useNews<Seen, InspectorNews>('events', grown)
  const [result, setResult] = useState<SendAnswer | undefined>(undefined)
  useShortcuts()
  async function send(wanted: SendRequest): Promise<void> {
    setResult(undefined)
    const answer = await post('send', wanted)
    setResult(((await answer?.json()) as SendAnswer | undefined) ?? { problem: 'the program does not answer' })
  }
  async function behave(mode: ReceiverMode): Promise<void> {
    const answer = await post('mode', mode)
    if (answer?.ok !== true) setResult({ problem: 'the receiver does not answer' })
  }
  return (
    <>
      <header>
        <h1>{visible(seen?.title ?? 'Deliveries')}</h1>
      </header>
      <main>
        <p class={isThere ? 'connection open' : 'connection'} role="status">
          {isThere ? 'Connected' : 'The program that served this page has ended.'}
        </p>
        {seen === undefined ? null : (
          <>
            <Facts seen={seen} />
            {seen.mode === undefined ? null : (
              <p>
                Answer <Choice label="Answer" values={modes} value={seen.mode} onChoose={(mode) => void behave(mode)} />{' '}
                <span class="hint small">Break it on purpose, and see what the sender does.</span>
              </p>
            )}
            <SendForm seen={seen} onSend={send} />
            <SendResult result={result} />
            <Deliveries seen={seen} onSend={send} onClear={() => void post('clear', {})} />
          </>
        )}
      </main>
    </>
  )
}

/** The addresses and the secret. */
function Facts({ seen: { url, forwardsTo, secret } }: { readonly seen: Seen }): JSX.Element {
  return (
    <dl class="facts">
      <dt>Takes deliveries at</dt>
      <dd>
        <code>{visible(url)}</code> <CopyButton text={url} what="the address" />
      </dd>
      {forwardsTo === undefined ? null : (
        <>
          <dt>Forwards them to</dt>
          <dd>
            <code>{visible(forwardsTo)}</code>
          </dd>
        </>
      )}
      <dt>Secret</dt>
      <dd>
        {secret === undefined ? (
          <span class="small">none: with --secret signatures are checked, and this page can sign</span>
        ) : (
          <SecretText of="this endpoint" read={() => Promise.resolve(secret)} />
        )}
      </dd>
    </dl>
  )
}

interface DeliveriesProps {
  readonly seen: Seen
  readonly onSend: (wanted: SendRequest) => Promise<void>
  readonly onClear: () => void
}

/** What arrived, newest first, with a filter whose state is in the address. */
function Deliveries({ seen, onSend, onClear }: DeliveriesProps): JSX.Element {
  const { address, put } = useAddress()
  // A request whose signature is searched for is reported after later ones.
  const received = seen.received.toSorted((one, other) => other.number - one.number)
  const words = address.get('q') ?? ''
  const hidden = new Set((address.get('hide') ?? '').split(','))
  const shown = received.filter((delivery) => !hidden.has(outcomeOf(delivery)) && matches(delivery, words))
  return (
    <>
      <h2>Deliveries</h2>
      {received.length === 0 ? null : (
        <Form class="filters" label="Deliveries">
          <Search words={words} placeholder="id, type, header, body" onInput={(typed) => put({ q: typed })} />
          <OutcomeChips
            counts={outcomes.map((one) => [one, received.filter((delivery) => outcomeOf(delivery) === one).length])}
            shown={new Set(outcomes.filter((outcome) => !hidden.has(outcome)))}
            onChange={(shown) => put({ hide: outcomes.filter((outcome) => !shown.includes(outcome)).join(',') })}
          />
          <button type="button" onClick={onClear}>
            Clear
          </button>
        </Form>
      )}
      <p class="small" role="status">
        {received.length === 0
          ? `None yet. Requests to ${visible(seen.url)} are shown here.`
          : shown.length === received.length
            ? counted(received.length, 'request')
            : `${shown.length} of ${counted(received.length, 'request')} shown`}
      </p>
      <ol class="deliveries">
        {shown.map((delivery) => (
          <Inspected
            key={delivery.number}
            delivery={delivery}
            repeats={repeatsBefore(delivery, received)}
            seen={seen}
            isOpen={address.get('request') === String(delivery.number)}
            onSend={onSend}
          />
        ))}
      </ol>
    </>
  )
}

/** How often the id arrived before. */
function repeatsBefore({ id, number }: InspectedDelivery, received: readonly InspectedDelivery[]): number {
  return id === '' ? 0 : received.filter((other) => other.id === id && other.number < number).length
}

/** Whether each word is in the delivery. */
function matches(delivery: InspectedDelivery, words: string): boolean {
  const { id, method, path, status, meaning, headers, body = '', sent } = delivery
  const text = [id, method, path, status, meaning, typeOf(body), sent?.title, ...headers.flat(), body]
  return searchFor(words)(text.join('\n'))
}

mount(<Page />)
