import type { JSX } from 'preact'
import type { InspectedDelivery, InspectorNews, SendRequest } from '../data.js'
import { curlOf } from './curl.js'
import { Message } from './message.js'
import { CopyButton, Opening, Status } from './parts.js'
import { Forge } from './send.js'
import { clock, counted, readableMs, shortened, visible } from './text.js'

/** `unexpected`: a forgery was accepted, or a valid delivery refused. */
export const outcomes = ['unexpected', 'no answer', 'refused', 'accepted'] as const
type Outcome = (typeof outcomes)[number]

/** Returns how an endpoint answered, compared with the expected answer. */
export function outcomeOf({ status, isVerified, sent }: InspectedDelivery): Outcome {
  if (status === undefined) return 'no answer'
  const answered = status >= 200 && status < 300 ? 'accepted' : 'refused'
  const bySignature = isVerified === undefined ? answered : isVerified ? 'accepted' : 'refused'
  const expected = sent?.expected ?? bySignature
  return expected === 'either' || expected === answered ? answered : 'unexpected'
}

interface Props {
  readonly delivery: InspectedDelivery
  /** How often the id arrived before. */
  readonly repeats: number
  readonly seen: Extract<InspectorNews, { kind: 'all' }>
  readonly isOpen: boolean
  readonly onSend: (wanted: SendRequest) => Promise<void>
}

/** One request: verified or not and why, its answer, and what can be done with it. */
export function Inspected({ delivery, repeats, seen, isOpen, onSend }: Props): JSX.Element {
  const { number, at, method, path, id, status, meaning, durationMs, isVerified, causes, body, diagnoseUrl, sent } =
    delivery
  const outcome = outcomeOf(delivery)
  const about = [
    meaning.replace(new RegExp(`^${outcome}(?:: )?`), ''),
    outcome === 'unexpected' && sent === undefined ? `must be ${isVerified === true ? 'accepted' : 'refused'}` : '',
    repeats > 0 ? `the same id arrived ${counted(repeats, 'time')} before` : '',
    durationMs === undefined ? '' : readableMs(durationMs),
  ].filter((part) => part !== '')
  const curl = curlOf({
    method,
    url: seen.forwardsTo ?? seen.url,
    headers: Object.fromEntries(delivery.headers),
    ...(body === undefined ? {} : { body }),
    ...(delivery.bodyBase64 === undefined ? {} : { body_base64: delivery.bodyBase64 }),
  })
  return (
    <li class={outcome.replaceAll(' ', '-')}>
      <div>
        <a class="small" href={`#request=${number}`} aria-label={`Address of request ${number}`}>
          {number}
        </a>{' '}
        <span class="small">{clock(at)}</span> <Status word={outcome} /> <b>{status}</b>{' '}
        <code>{visible(id === '' ? `${method} ${path}` : id)}</code> {visible(typeOf(body ?? ''))}
        <div class="small">
          {isVerified === undefined ? null : (
            <Status
              word={isVerified ? 'signature verified' : 'signature not verified'}
              kind={isVerified ? 'verified' : 'violated'}
            />
          )}
          {visible(
            about.map((part, index) => (index === 0 && isVerified === undefined ? part : ` · ${part}`)).join(''),
          )}
        </div>
        {sent === undefined ? null : (
          <div class="small">
            Sent from this page: {visible(sent.title)}
            {sent.expected === undefined || sent.expected === 'either' ? '' : `; it must be ${sent.expected}`}
          </div>
        )}
        {causes.length === 0 ? null : (
          <ul>
            {causes.map((cause) => (
              <li>{visible(cause)}</li>
            ))}
          </ul>
        )}
        {body === undefined && delivery.headers.length === 0 ? null : (
          <Opening class="attempts" label="Request" isOpen={isOpen}>
            {() => <Inside delivery={delivery} />}
          </Opening>
        )}
        {body === undefined ? null : (
          <p class="buttons">
            <button type="button" onClick={() => void onSend({ number, isAsIs: true })}>
              Replay as it was
            </button>
            {seen.secret === undefined ? null : (
              <button type="button" onClick={() => void onSend({ number })}>
                Replay, signed now
              </button>
            )}
            {curl === undefined ? null : (
              <CopyButton text={curl} what={`request ${number} as curl`} label="Copy as curl" />
            )}
            {diagnoseUrl === undefined ? null : (
              <a href={diagnoseUrl} target="_blank" rel="noopener">
                Diagnose
              </a>
            )}
            {seen.secret === undefined ? null : (
              <Forge
                what={`request ${number}`}
                kinds={seen.forgeries}
                onForge={(forgery) => onSend({ number, forgery })}
              />
            )}
          </p>
        )}
      </div>
    </li>
  )
}

function Inside({ delivery }: { readonly delivery: InspectedDelivery }): JSX.Element {
  const { method, path, headers, body, bodyBase64, answer, status } = delivery
  return (
    <>
      <Message first={`${method} ${path}`} headers={headers} body={body} base64={bodyBase64} />
      {answer === undefined ? null : (
        <>
          <h3>Answer</h3>
          <Message {...answer} first={String(status ?? '')} />
        </>
      )}
    </>
  )
}

/** Characters of a type; the sender of a delivery chooses it. */
const longestType = 80

/** The type in the body, if any. */
export function typeOf(body: string): string {
  try {
    const { type } = Object(JSON.parse(body)) as { readonly type?: unknown }
    return typeof type === 'string' ? shortened(type, longestType) : ''
  } catch {
    return ''
  }
}
