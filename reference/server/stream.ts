import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import { onStreamUpgrade } from './stream-upgrades.js'
import { answerRaw } from './connections.js'
import type { Directory, Key } from './store/directory.js'
import type { EventStore } from './store/event-store.js'
import type { EventRecord, Policy } from './policy.js'
import { serializer } from './policy/members.js'

interface Client {
  readonly socket: WebSocket
  readonly key: Key
  /** The one inbox whose events it sees; null is every inbox of the org. */
  readonly inboxId: string | null
  /** Id of the last event that was sent or passed over. */
  cursor: string
  /** Whether the store has nothing after the cursor: only then a live event is sent directly. */
  isLive: boolean
  blockedTimer: NodeJS.Timeout | undefined
}

/** The WebSocket stream: every client has one cursor, read from the store until it is live. */
export type Stream = ReturnType<typeof createStream>

export function createStream(options: { policy: Policy; directory: Directory; events: EventStore }) {
  const { policy, directory } = options
  const { open, broadcast, dropOrgs, close } = createClients(options)
  const acceptor = new WebSocketServer({ noServer: true, maxPayload: 65_536, perMessageDeflate: false })
  const path = `${policy.pathPrefix}${policy.streamPath}`

  function keyOf(request: IncomingMessage, token: string | undefined): Key | undefined {
    const credential = policy.streamCredentialOf({ authorization: request.headers.authorization, token })
    return directory.keyOf(credential ?? '')
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy())
    const text = request.url ?? '/'
    const url = URL.canParse(text, 'http://host') ? new URL(text, 'http://host') : undefined
    if (url?.pathname !== path) {
      const fix = `Open the stream at ${path}.`
      const reason = { status: 404, phrase: 'Not Found', code: 'not_found', message: 'There is no stream here.', fix }
      return answerRaw(socket, { reason, policy })
    }
    const key = keyOf(request, url.searchParams.get('token') ?? undefined)
    const mayStream = key !== undefined && key.permissions !== 'sending'
    if (!mayStream && policy.streamRefusal === 'refuse-upgrade') {
      const isForbidden = key !== undefined || policy.authStatus === 403
      const reason = {
        status: isForbidden ? 403 : policy.authStatus,
        phrase: isForbidden ? 'Forbidden' : 'Unauthorized',
        code: isForbidden ? 'forbidden' : 'unauthorized',
        message: 'The stream needs an API key that may read events.',
        fix: 'Send Authorization: Bearer <API_KEY>, or the query parameter token.',
      }
      return answerRaw(socket, { reason, policy })
    }
    const after = url.searchParams.get('after') ?? undefined
    if (mayStream && policy.streamUnknownAfter === 'refuse' && after !== undefined && !/^evt_./.test(after)) {
      const fix = 'Pass the id of the last event as after.'
      const message = 'after is not the id of an event.'
      return answerRaw(socket, {
        reason: { status: 400, phrase: 'Bad Request', code: 'invalid_request', message, fix },
        policy,
      })
    }
    acceptor.handleUpgrade(request, socket, head, (opened) => {
      if (key === undefined || !mayStream) opened.close(4401, 'unauthorized')
      else open(opened, key, after)
    })
  }

  return {
    attach(server: Server): void {
      onStreamUpgrade(server, upgrade)
    },
    /** Sends a committed event to the clients. */
    publish: broadcast,
    /** Ends the streams of these orgs. */
    dropOrgs,
    close(): void {
      close()
      acceptor.close()
    },
  }
}

/** The clients whose stream is open, and what each has been sent. */
function createClients({ policy, events }: { policy: Policy; events: EventStore }) {
  const clients = new Set<Client>()
  const eventJson = serializer(policy.frameMembers)

  const frameOf = (event: EventRecord): Buffer => Buffer.from(eventJson(event))
  const isFull = ({ socket }: Client): boolean => socket.bufferedAmount > policy.maxBufferedBytes

  function send(client: Client, frame: Buffer): void {
    client.socket.send(frame, { binary: false })
  }

  function sees({ key, inboxId }: Client, event: EventRecord): boolean {
    return event.orgId === key.orgId && (inboxId === null || inboxId === event.inboxId)
  }

  /** Reads one page after the cursor; continues in a later turn until the client is live. */
  function catchUp(client: Client): void {
    if (client.isLive || client.socket.readyState !== WebSocket.OPEN) return
    if (isFull(client)) return waitForDrain(client)
    const { key, inboxId, cursor } = client
    const page = events.behind({ orgId: key.orgId, inboxId, after: cursor, limit: policy.streamPageSize })
    for (const event of page) send(client, frameOf(event))
    client.cursor = page.at(-1)?.id ?? cursor
    if (page.length < policy.streamPageSize) client.isLive = true
    else setImmediate(() => catchUp(client))
  }

  /** A slow client gets nothing until its buffer is empty enough; then the store is read again. */
  function waitForDrain(client: Client): void {
    if (client.blockedTimer !== undefined) return
    const since = Date.now()
    client.blockedTimer = setInterval(() => {
      if (isFull(client)) {
        if (Date.now() - since > policy.stallMs) client.socket.terminate()
        return
      }
      stopWaiting(client)
      catchUp(client)
    }, 20)
  }

  function stopWaiting(client: Client): void {
    clearInterval(client.blockedTimer)
    client.blockedTimer = undefined
  }

  function open(socket: WebSocket, key: Key, after: string | undefined): void {
    const client: Client = {
      socket,
      key,
      inboxId: policy.streamInbox(key.inboxId),
      cursor: after ?? events.newestId(),
      isLive: after === undefined,
      blockedTimer: undefined,
    }
    clients.add(client)
    const forget = (): void => {
      stopWaiting(client)
      clients.delete(client)
    }
    socket.on('close', forget)
    socket.on('error', forget)
    // Answers to pings are sent without asking whether the client reads them.
    socket.on('ping', () => {
      if (isFull(client)) socket.terminate()
    })
    catchUp(client)
  }

  /** Sends an event to every client that sees it and is live. */
  function broadcast(event: EventRecord): void {
    let frame: Buffer | undefined
    for (const client of clients) {
      if (!client.isLive || !sees(client, event)) continue
      if (isFull(client)) {
        client.isLive = false
        waitForDrain(client)
        continue
      }
      send(client, (frame ??= frameOf(event)))
      client.cursor = event.id
    }
  }

  return {
    open,
    broadcast,
    dropOrgs(orgIds: readonly string[]): void {
      for (const client of clients) if (orgIds.includes(client.key.orgId)) client.socket.close(1001)
    },
    close(): void {
      for (const client of clients) {
        stopWaiting(client)
        client.socket.terminate()
      }
    },
  }
}
