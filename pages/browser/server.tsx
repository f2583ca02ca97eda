import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { SendAnswer } from '../data.js'
import { useHash } from './address.js'
import { mount } from './mount.js'
import { AsyncapiView } from './asyncapi-view.js'
import { OpenapiView } from './openapi-view.js'
import { Form, Tabs } from './parts.js'
import {
  callServer,
  keepKey,
  Refused,
  takeKey,
  type Attempt,
  type Delivery,
  type Facts,
  type ServiceEvent,
  type Webhook,
} from './service.js'
import { Events } from './service-events.js'
import { followEvents } from './service-stream.js'
import { maxDeliveries, Webhooks, type ServerActions } from './service-webhooks.js'
import { useShortcuts } from './shortcuts.js'

/** Time between two looks at the deliveries, in milliseconds. */
const lookMs = 2_000

interface Seen {
  readonly webhooks: readonly Webhook[]
  readonly deliveries: ReadonlyMap<string, readonly Delivery[]>
}

const path = (...parts: readonly string[]) =>
  `/v1/webhooks${parts.map((part) => `/${encodeURIComponent(part)}`).join('')}`

/** What the page alone has of a webhook. */
const ofPage = (...parts: readonly string[]) => `/_page${path(...parts).slice('/v1'.length)}`

function Page(): JSX.Element {
  useShortcuts()
  const [key, setKey] = useState(takeKey)
  const [note, setNote] = useState('')
  const [facts, setFacts] = useState<Facts | undefined>(undefined)
  const [tab] = useHash(() => location.hash)
  useEffect(() => {
    if (key === '') return
    callServer(key, 'GET', '/_page/facts').then(
      (value) => setFacts(value as Facts),
      (error: unknown) => {
        if (error instanceof Refused && error.status === 401) {
          keepKey('')
          setKey('')
        }
        setNote(String(error instanceof Error ? error.message : error))
      },
    )
  }, [key])
  const isApi = tab === '#api'
  return (
    <>
      <header>
        <h1>
          Reference server <span class="small">{location.host}</span>
        </h1>
      </header>
      <Tabs
        label="Views"
        current={isApi ? 'api' : 'live'}
        tabs={[
          { name: 'live', label: 'Live', href: '#live' },
          { name: 'api', label: 'API', href: '#api' },
        ]}
      />
      <main id="main">
        {note === '' ? null : (
          <p role="alert" class="banner nonconformant">
            {note}
          </p>
        )}
        {key === '' && !isApi ? (
          <KeyForm
            onKey={(given) => {
              keepKey(given)
              setNote('')
              setKey(given)
            }}
          />
        ) : null}
        {isApi ? (
          <>
            <OpenapiView address="/_page/openapi.json" />
            <AsyncapiView address="/_page/asyncapi.json" />
          </>
        ) : key !== '' && facts !== undefined ? (
          <Live apiKey={key} facts={facts} onNote={setNote} />
        ) : null}
      </main>
    </>
  )
}

function KeyForm({ onKey }: { readonly onKey: (key: string) => void }): JSX.Element {
  const [key, setKey] = useState('')
  return (
    <Form class="fields" label="API key" onSubmit={() => onKey(key)}>
      <p class="wide">The page needs the API key: open the address that serve printed, or paste the key.</p>
      <label>
        API key
        <input
          type="password"
          autocomplete="off"
          required
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
      </label>
      <button class="main">Connect</button>
    </Form>
  )
}

type CallApi = (method: string, to: string, body?: unknown) => Promise<unknown>

/** The webhooks with their latest deliveries, and a way to look at them again. */
function useDeliveries(call: CallApi): { readonly seen: Seen; look(): Promise<void> } {
  const [seen, setSeen] = useState<Seen>({ webhooks: [], deliveries: new Map() })
  const looking = useRef(false)
  async function look(): Promise<void> {
    if (looking.current || document.hidden) return
    looking.current = true
    try {
      const { data: webhooks } = (await call('GET', '/v1/webhooks')) as { data: Webhook[] }
      const lists = await Promise.all(
        webhooks.map((webhook) => call('GET', `${path(webhook.id, 'deliveries')}?limit=${maxDeliveries}`)),
      )
      const deliveries = new Map(
        webhooks.map((webhook, index) => [webhook.id, (lists[index] as { data: Delivery[] }).data] as const),
      )
      setSeen({ webhooks, deliveries })
    } catch {
      // The stream shows whether the server is there.
    } finally {
      looking.current = false
    }
  }
  return { seen, look }
}

interface LiveProps {
  readonly apiKey: string
  readonly facts: Facts
  readonly onNote: (text: string) => void
}

/** What goes on, as it goes on. */
function Live({ apiKey, facts, onNote }: LiveProps): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const [events, setEvents] = useState<readonly ServiceEvent[]>([])
  // The clock of the workspace is so far before this machine's.
  const [offsetMs, setOffset] = useState(facts.now - Date.now())
  const [nowMs, setNow] = useState(facts.now)
  const call: CallApi = (method, to, body) => callServer(apiKey, method, to, body)

  const { seen, look } = useDeliveries(call)
  useEffect(() => {
    void look()
    const timer = setInterval(() => void look(), lookMs)
    const end = followEvents({
      key: apiKey,
      page: async (after) =>
        ((await call('GET', `/v1/events?limit=100&after=${encodeURIComponent(after)}`)) as { data: ServiceEvent[] })
          .data,
      onEvents: (newest) => {
        setEvents(newest)
        void look()
      },
      onOpen: setOpen,
    })
    return () => {
      clearInterval(timer)
      end()
    }
  }, [apiKey])
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() + offsetMs), 1_000)
    setNow(Date.now() + offsetMs)
    return () => clearInterval(timer)
  }, [offsetMs])

  /** Runs the action of a button; an error is shown above the page. */
  async function doing<Value>(action: () => Promise<Value>): Promise<Value | undefined> {
    onNote('')
    try {
      const value = await action()
      await look()
      return value
    } catch (error) {
      onNote(error instanceof Error ? error.message : String(error))
      return undefined
    }
  }
  const things: ServerActions = {
    create: (webhook) => doing(async () => ((await call('POST', path(), webhook)) as { secret: string }).secret),
    remove: async (webhook) => void (await doing(() => call('DELETE', path(webhook.id)))),
    replay: async (webhook, delivery) =>
      void (await doing(() => call('POST', path(webhook.id, 'deliveries', delivery.id, 'replay')))),
    forge: (webhook, delivery, name) =>
      doing(
        async () =>
          (await call('POST', ofPage(webhook.id, 'deliveries', delivery.id, 'forge'), { name })) as SendAnswer,
      ),
    secretOf: (webhook) => doing(async () => ((await call('GET', ofPage(webhook.id))) as { secret: string }).secret),
    attemptsOf: async (webhook, delivery) =>
      ((await call('GET', ofPage(webhook.id, 'deliveries', delivery.id))) as { attempts: Attempt[] }).attempts,
  }
  const types = new Map(events.map((event) => [event.id, event.type]))
  const nextDue = Math.min(
    ...[...seen.deliveries.values()]
      .flat()
      .map((delivery) => (delivery.next_attempt_at ? Date.parse(delivery.next_attempt_at) : Infinity)),
  )
  const moveTime = (byMs: number) =>
    doing(async () => {
      const { now } = (await call('POST', '/_page/clock', { advance_ms: byMs })) as { now: number }
      setOffset(now - Date.now())
    })
  return (
    <>
      <p class={isOpen ? 'connection open' : 'connection'} role="status">
        {isOpen ? 'Connected' : 'Not connected, trying again'}
      </p>
      {facts.can_move_time ? <Time nowMs={nowMs} nextDueMs={nextDue} onMove={(byMs) => void moveTime(byMs)} /> : null}
      <div class="halves">
        <Webhooks
          webhooks={seen.webhooks}
          deliveries={seen.deliveries}
          typeOf={(id) => types.get(id ?? '') ?? ''}
          facts={facts}
          nowMs={nowMs}
          doing={things}
        />
        <Events
          events={events}
          facts={facts}
          onRaise={async (request) => void (await doing(() => call('POST', '/_page/events', request)))}
          onTrouble={onNote}
        />
      </div>
    </>
  )
}

interface TimeProps {
  readonly nowMs: number
  /** When the next attempt of any delivery is due; Infinity where none is. */
  readonly nextDueMs: number
  readonly onMove: (byMs: number) => void
}

/** Advances the clock of the workspace. */
function Time({ nowMs, nextDueMs, onMove }: TimeProps): JSX.Element {
  const steps = [
    ['5 s', 5_000],
    ['5 min', 300_000],
    ['30 min', 1_800_000],
    ['2 h', 7_200_000],
    ['10 h', 36_000_000],
  ] as const
  return (
    <Form class="fields" label="Time">
      <span>
        Clock of the workspace <b>{new Date(nowMs).toISOString().slice(0, 19).replace('T', ' ')}</b>
      </span>
      <button
        type="button"
        disabled={nextDueMs === Infinity}
        onClick={() => onMove(Math.max(0, Math.ceil(nextDueMs - nowMs)))}
      >
        To the next attempt
      </button>
      {steps.map(([label, byMs]) => (
        <button type="button" aria-label={`Move time by ${label}`} onClick={() => onMove(byMs)}>
          + {label}
        </button>
      ))}
    </Form>
  )
}

mount(<Page />)
