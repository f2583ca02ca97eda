import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { SendAnswer } from '../data.js'
import { curlOf } from './curl.js'
import { OutcomeChips, Search } from './filters.js'
import { Message } from './message.js'
import { CopyButton, Form, Opening, SecretText, Select, Status } from './parts.js'
import { Forge, SendResult } from './send.js'
import { inboxesOf, typesOf, type Attempt, type Delivery, type Facts, type Webhook } from './service.js'
import { clock, counted, readableSeconds, searchFor, visible } from './text.js'

/** The actions of the page; each resolves when it is done; errors are shown above the page. */
export interface ServerActions {
  readonly create: (webhook: object) => Promise<string | undefined>
  readonly remove: (webhook: Webhook) => Promise<void>
  readonly replay: (webhook: Webhook, delivery: Delivery) => Promise<void>
  /** Sends a forgery of a delivery, by its name. */
  readonly forge: (webhook: Webhook, delivery: Delivery, name: string) => Promise<SendAnswer | undefined>
  readonly secretOf: (webhook: Webhook) => Promise<string | undefined>
  readonly attemptsOf: (webhook: Webhook, delivery: Delivery) => Promise<readonly Attempt[]>
}

interface WebhooksProps {
  readonly webhooks: readonly Webhook[]
  readonly deliveries: ReadonlyMap<string, readonly Delivery[]>
  readonly typeOf: (eventId: string | undefined) => string
  readonly facts: Facts | undefined
  /** The clock of the workspace now, in milliseconds. */
  readonly nowMs: number
  readonly doing: ServerActions
}

/** The webhooks, each with its deliveries as they go. */
export function Webhooks(props: WebhooksProps): JSX.Element {
  const { webhooks, deliveries, facts, doing, typeOf } = props
  const [words, setWords] = useState('')
  const [hidden, setHidden] = useState<readonly string[]>([])
  const all = [...deliveries.values()].flat()
  const isShown = (delivery: Delivery) =>
    !hidden.includes(delivery.status) && searchFor(words)(textOf(delivery, typeOf(delivery.event_id)))
  return (
    <section aria-labelledby="webhooks-title">
      <h2 id="webhooks-title">Webhooks</h2>
      <CreateWebhook facts={facts} onCreate={doing.create} />
      {all.length === 0 ? null : (
        <Form class="filters" label="Deliveries">
          <Search words={words} placeholder="event, answer, id" onInput={setWords} />
          <OutcomeChips
            counts={statuses.map((status) => [status, all.filter((delivery) => delivery.status === status).length])}
            shown={new Set(statuses.filter((status) => !hidden.includes(status)))}
            onChange={(shown) => setHidden(statuses.filter((status) => !shown.includes(status)))}
          />
        </Form>
      )}
      {webhooks.length === 0 ? (
        <p class="empty">
          No webhook yet. An address on this machine needs <code>serve --allow 127.0.0.1:8443</code>.
        </p>
      ) : null}
      {webhooks.map((webhook) => (
        <article class="webhook" key={webhook.id}>
          <header>
            <div>
              <code>{visible(webhook.url)}</code>{' '}
              <CopyButton text={webhook.url} what={`the address of ${webhook.id}`} />
              <div class="small">
                {subscribedTo(webhook)} · {webhook.inbox_id ?? 'every inbox'} · {webhook.id}
              </div>
              <div class="small">
                Secret <SecretText of={webhook.id} read={() => doing.secretOf(webhook)} />
              </div>
            </div>
            <button
              type="button"
              aria-label={`Delete webhook ${webhook.id}`}
              onClick={() => void doing.remove(webhook)}
            >
              Delete
            </button>
          </header>
          <Deliveries {...props} webhook={webhook} list={deliveries.get(webhook.id) ?? []} isShown={isShown} />
        </article>
      ))}
    </section>
  )
}

/** Deliveries of each webhook that are shown. */
export const maxDeliveries = 20

const statuses = ['failed', 'pending', 'succeeded'] as const

/** Returns the searched text of a delivery. */
function textOf({ id, status, event_id, response_code, error, response_body_snippet }: Delivery, type: string): string {
  return [id, status, event_id, response_code, error, response_body_snippet, type].join(' ')
}

function subscribedTo({ event_types: types }: Webhook): string {
  return types.length === 0 || types.includes('*') ? 'every event' : types.map(visible).join(', ')
}

interface CreateProps {
  readonly facts: Facts | undefined
  readonly onCreate: ServerActions['create']
}

function CreateWebhook({ facts, onCreate }: CreateProps): JSX.Element {
  const [secret, setSecret] = useState<string | undefined>(undefined)
  async function create(form: HTMLFormElement): Promise<void> {
    const fields = new FormData(form)
    const type = String(fields.get('type') ?? '')
    const made = await onCreate({
      url: String(fields.get('url') ?? ''),
      ...(type === '' ? {} : { event_types: [type] }),
      inbox_id: String(fields.get('inbox') ?? '') || null,
    })
    if (made !== undefined) setSecret(made)
  }
  return (
    <>
      <Form class="fields" label="Create a webhook" onSubmit={(form) => void create(form)}>
        <label class="wide">
          URL <input name="url" type="url" placeholder="https://127.0.0.1:8443/webhooks" required />
        </label>
        <Select label="Events" name="type" options={[['', 'every event'], ...typesOf(facts)]} />
        <Select label="Inbox" name="inbox" options={[['', 'every inbox'], ...inboxesOf(facts)]} />
        <button class="main">Create</button>
      </Form>
      {secret === undefined ? null : (
        <p class="banner conformant" role="status">
          Secret, shown once by the API: <code>{secret}</code> <CopyButton text={secret} what="the secret" />
        </p>
      )}
    </>
  )
}

interface DeliveriesProps extends WebhooksProps {
  readonly webhook: Webhook
  readonly list: readonly Delivery[]
  readonly isShown: (delivery: Delivery) => boolean
}

function Deliveries({ webhook, list, isShown, typeOf, facts, nowMs, doing }: DeliveriesProps): JSX.Element {
  if (list.length === 0) return <p class="empty">No delivery yet: send an event, and its delivery is shown here.</p>
  const shown = list.filter(isShown)
  return (
    <>
      {shown.length === list.length && list.length < maxDeliveries ? null : (
        <p class="small">
          {shown.length} of {counted(list.length, 'delivery', 'deliveries')} shown
          {list.length < maxDeliveries ? '' : ': the newest ones'}
        </p>
      )}
      <ol class="deliveries">
        {shown.map((delivery) => {
          const answer = [delivery.response_code, delivery.error, delivery.response_body_snippet].filter(
            (part) => part !== undefined && part !== null && part !== '',
          )
          const words = [
            typeOf(delivery.event_id),
            `attempt ${delivery.attempt}`,
            delivery.replay_of ? `replay of ${delivery.replay_of}` : '',
            delivery.next_attempt_at ? dueIn(delivery.next_attempt_at, nowMs) : '',
          ].filter((part) => part !== '')
          return (
            <li key={delivery.id} class={delivery.status}>
              <div>
                <Status word={delivery.status} /> <code>{visible(answer.join(' '))}</code>
                <div class="small">{visible(words.join(' · '))}</div>
                <Opening class="attempts" label="Request and attempts">
                  {() => <Attempts key={delivery.attempt} load={() => doing.attemptsOf(webhook, delivery)} />}
                </Opening>
                <Acts webhook={webhook} delivery={delivery} kinds={facts?.forgeries ?? []} doing={doing} />
              </div>
            </li>
          )
        })}
      </ol>
    </>
  )
}

interface ActsProps extends Pick<WebhooksProps, 'doing'> {
  readonly webhook: Webhook
  readonly delivery: Delivery
  readonly kinds: Facts['forgeries']
}

/** Replays a delivery, or forges it. */
function Acts({ webhook, delivery, kinds, doing }: ActsProps): JSX.Element {
  const [result, setResult] = useState<SendAnswer | undefined>(undefined)
  return (
    <>
      <p class="buttons">
        <button
          type="button"
          aria-label={`Replay delivery ${delivery.id}`}
          onClick={() => void doing.replay(webhook, delivery)}
        >
          Replay
        </button>
        {kinds.length === 0 ? null : (
          <Forge
            what={`delivery ${delivery.id}`}
            kinds={kinds}
            onForge={async (name) => setResult(await doing.forge(webhook, delivery, name))}
          />
        )}
      </p>
      {result === undefined ? null : <SendResult result={result} />}
    </>
  )
}

/** When the next attempt is due, on the clock of the workspace. */
function dueIn(instant: string, nowMs: number): string {
  const seconds = (Date.parse(instant) - nowMs) / 1000
  return seconds > 0 ? `next in ${readableSeconds(Math.ceil(seconds))}` : 'next is due'
}

/** The attempts of a delivery, each with its request and result. */
function Attempts({ load }: { readonly load: () => Promise<readonly Attempt[]> }): JSX.Element {
  const [attempts, setAttempts] = useState<readonly Attempt[] | undefined>(undefined)
  useEffect(() => {
    load().then(setAttempts, () => setAttempts([]))
  }, [])
  if (attempts === undefined) return <p class="small">Loading</p>
  if (attempts.length === 0) return <p class="small">No attempt since the server was started.</p>
  const last = attempts.findLast((attempt) => attempt.sent !== undefined)?.sent
  const curl = last === undefined ? undefined : curlOf({ method: 'POST', ...last })
  return (
    <>
      <ol>
        {attempts.map((attempt) => (
          <li>
            {clock(attempt.startedAt)} <code>{visible(outcomeOf(attempt))}</code>
          </li>
        ))}
      </ol>
      {last === undefined ? null : (
        <>
          <h3>The last request</h3>
          <Message {...last} first={`POST ${last.url}`} />
          {curl === undefined ? null : <CopyButton text={curl} what="the request as curl" label="Copy as curl" />}
        </>
      )}
    </>
  )
}

/** Results of an attempt without an answer. */
const words: Readonly<Record<string, string>> = {
  connection: 'no connection',
  timeout: 'no answer in time',
  blocked: 'not sent, a private address',
}

function outcomeOf({ outcome }: Attempt): string {
  const { kind, status, snippet = '', error = '', address = '' } = outcome
  return kind === 'answer'
    ? `${status ?? ''} ${snippet}`.trim()
    : [words[kind] ?? kind, `${error}${address}`].filter(Boolean).join(': ')
}
