import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ReceivedDelivery, ReceiverManner, ReceiverNews } from '../data.js'
import { Body } from './body.js'
import { useNews } from './follow.js'
import { mount } from './mount.js'
import { Block, Choice, Opening, Status } from './parts.js'
import { clock, counted, visible } from './text.js'

const manners: Readonly<Record<ReceiverManner, string>> = {
  right: 'Answer as it should',
  fails: 'Answer 500',
  redirects: 'Redirect',
  slow: 'Answer after 11 s',
}

interface Seen {
  readonly url: string
  readonly manner: ReceiverManner
  readonly received: readonly ReceivedDelivery[]
}

/** Deliveries that are kept here. */
const most = 200

function grown(seen: Seen | undefined, news: ReceiverNews): Seen | undefined {
  if (news.kind === 'all') return news
  if (seen === undefined) return undefined
  if (news.kind === 'manner') return { ...seen, manner: news.manner }
  return { ...seen, received: [news.delivery, ...seen.received].slice(0, most) }
}

function Receiver(): JSX.Element {
  const { state: seen, isThere } = useNews<Seen, ReceiverNews>('events', grown)
  const [problem, setProblem] = useState('')
  async function behave(manner: ReceiverManner): Promise<void> {
    const answer = await fetch('manner', { method: 'POST', body: JSON.stringify(manner) }).catch(() => undefined)
    setProblem(answer?.ok === true ? '' : 'The receiver does not answer.')
  }
  return (
    <>
      <header>
        <h1>
          Reference receiver <span class="small">{visible(seen?.url ?? '')}</span>
        </h1>
      </header>
      <main>
        <p class={isThere ? 'connection open' : 'connection'} role="status">
          {isThere ? 'Connected' : 'The program that served this page has ended'}
        </p>
        {problem === '' ? null : (
          <p role="alert" class="banner nonconformant">
            {problem}
          </p>
        )}
        <p>
          <Choice
            label="How the receiver behaves"
            values={manners}
            value={seen?.manner ?? 'right'}
            onChoose={(manner) => void behave(manner)}
          />{' '}
          <span class="small">Break it on purpose, and see what the sender does.</span>
        </p>
        <h2>Deliveries</h2>
        <p class="small" role="status">
          {seen === undefined || seen.received.length === 0
            ? `None yet. Requests to ${visible(seen?.url ?? 'the address above')} are shown here.`
            : counted(seen.received.length, 'request')}
        </p>
        <ol class="deliveries">
          {seen?.received.map((delivery, index) => (
            <li key={seen.received.length - index}>
              <Received delivery={delivery} earlier={seen.received.slice(index + 1)} />
            </li>
          ))}
        </ol>
      </main>
    </>
  )
}

interface ReceivedProps {
  readonly delivery: ReceivedDelivery
  readonly earlier: readonly ReceivedDelivery[]
}

/** One request: verified or not and why, and whether its event is a repeat. */
function Received({ delivery, earlier }: ReceivedProps): JSX.Element {
  const { at, method, path, id, status, meaning, isVerified, causes, headers, body, diagnoseUrl } = delivery
  const isDelivery = Object.keys(headers).length > 0
  const repeats = id === '' ? 0 : earlier.filter((delivery) => delivery.id === id).length
  return (
    <div>
      <span class="small">{clock(at)}</span>{' '}
      {isDelivery ? (
        <Status word={isVerified ? 'verified' : 'not verified'} kind={isVerified ? 'verified' : 'violated'} />
      ) : null}{' '}
      <b>{status}</b> {meaning} <code>{visible(id === '' ? `${method} ${path}` : id)}</code> {visible(typeOf(body))}
      {repeats > 0 ? <span class="small"> the same id arrived {counted(repeats, 'time')} before</span> : null}
      {causes.length === 0 ? null : (
        <ul>
          {causes.map((cause) => (
            <li>{visible(cause)}</li>
          ))}
        </ul>
      )}
      {diagnoseUrl === undefined ? null : (
        <a href={diagnoseUrl} target="_blank" rel="noopener">
          Diagnose
        </a>
      )}
      {isDelivery ? (
        <Opening class="attempts" label="Request">
          {() => (
            <>
              <Block
                text={[
                  `${method} ${path}`,
                  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
                ].join('\n')}
              />
              <Body body={body} />
            </>
          )}
        </Opening>
      ) : null}
    </div>
  )
}

/** Characters of a type; the sender of a delivery chooses it. */
const longestType = 80

/** The type in the body, if any. */
function typeOf(body: string): string {
  try {
    const { type } = Object(JSON.parse(body)) as { readonly type?: unknown }
    return typeof type === 'string' ? type.slice(0, longestType) : ''
  } catch {
    return ''
  }
}

mount(<Receiver />)
