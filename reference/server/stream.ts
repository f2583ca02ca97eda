import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import { answerRaw } from './connections.js'
import type { Directory, Key } from './directory.js'
import type { EventStore } from './event-store.js'
import type { EventRecord, Policy } from './policy.js'
import { serializer } from './policy/members.js'

interface Client {
  readonly socket: WebSocket
  readonly key: Key
  /** Id of the last event that was sent or passed over. */
  cursor: string
  /** Whether the store holds nothing behind the cursor: only then a live event goes straight out. */
  isLive: boolean
  isFirstRead: boolean
  /** With hand-over `snapshot`: the id at which the backlog ends. */
  readonly snapshotId: string
  sent: number
  blockedTimer: NodeJS.Timeout | undefined
}

/** The WebSocket stream: every client has one cursor, read from the store until it is live. */
export type Stream = ReturnType<typeof createStream>

export function createStream(options: { policy: Policy; directory: Directory; events: EventStore }) {
  const { policy, directory, events } = options
  const clients = new Set<Client>()
  const acceptor = new WebSocketServer({ noServer: true, maxPayload: 65_536, perMessageDeflate: false })
  const eventJson = serializer(policy.frameMembers)
  const path = `${policy.pathPrefix}${policy.streamPath}`

  function frameOf(event: EventRecord): Buffer {
    return Buffer.from(policy.frame(eventJson(event)))
  }

  function send(client: Client, frame: Buffer): void {
    client.socket.send(frame, { binary: policy.frameKind === 'binary' })
  }

  function sees(client: Client, event: EventRecord): boolean {
    if (policy.streamOrgs === 'own' && event.orgId !== client.key.orgId) return false
    const inboxId = policy.streamInbox(client.key.inboxId, 'live')
    return inboxId === null || inboxId === event.inboxId
  }

  function isFull(client: Client): boolean {
    return client.socket.bufferedAmount > policy.maxBufferedBytes
  }

  /** Reads one page behind the cursor; goes on in a later turn until the client is live. */
  function catchUp(client: Client): void {
    if (client.isLive || client.socket.readyState !== WebSocket.OPEN) return
    if (isFull(client)) return waitForDrain(client)
    const left = policy.backlogLimit === undefined ? Infinity : policy.backlogLimit - client.sent
    const query = {
      orgId: client.key.orgId,
      inboxId: policy.streamInbox(client.key.inboxId, 'backlog'),
      after: client.cursor,
      limit: Math.min(policy.streamPageSize, left),
    }
    const page = left > 0 ? events.behind(query, client.isFirstRead) : []
    client.isFirstRead = false
    let isEnd = page.length < query.limit || left <= 0 || policy.backlogOrder === 'newest-first'
    for (const event of page) {
      if (policy.handOver === 'snapshot' && event.id > client.snapshotId) {
        isEnd = true
        break
      }
      send(client, frameOf(event))
      client.sent++
      client.cursor = event.id
    }
    if (!isEnd) {
      setImmediate(() => catchUp(client))
      return
    }
    client.isLive = true
  }

  /** A slow client gets nothing further until its buffer is empty enough; then the store is read again. */
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
    const newest = events.newestId()
    const resumesAt = policy.streamResumes ? after : undefined
    const client: Client = {
      socket,
      key,
      cursor: resumesAt ?? (policy.streamStart === 'now' ? newest : ''),
      isLive: resumesAt === undefined && policy.streamStart === 'now',
      isFirstRead: true,
      snapshotId: newest,
      sent: 0,
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

  function keyOf(request: IncomingMessage, token: string | undefined): Key | undefined {
    const credential = policy.streamCredentialOf({ authorization: request.headers.authorization, token })
    if (credential === undefined || credential === '') {
      return policy.streamWithoutKey === 'first-org' ? directory.firstOrgKey() : undefined
    }
    const key = directory.keyOf(credential)
    return key ?? (policy.streamUnknownKey === 'first-org' ? directory.firstOrgKey() : undefined)
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
    if (mayStream && after !== undefined && !/^evt_./.test(after) && policy.streamUnknownAfter !== 'compare') {
      const isRefused = policy.streamUnknownAfter === 'refuse'
      const reason = {
        status: isRefused ? 400 : 500,
        phrase: isRefused ? 'Bad Request' : 'Internal Server Error',
        code: isRefused ? 'invalid_request' : 'invalid_cursor',
        message: 'after is not the id of an event.',
        fix: 'Pass the id of the last event as after.',
      }
      return answerRaw(socket, { reason, policy })
    }
    acceptor.handleUpgrade(request, socket, head, (opened) => {
      if (key === undefined || !mayStream) opened.close(4401, 'unauthorized')
      else open(opened, key, after)
    })
  }

  /** Sends an event to every client that sees it and is live. */
  function broadcast(event: EventRecord): void {
    let frame: Buffer | undefined
    const seeing = [...clients].filter((client) => sees(client, event))
    const receivers = policy.liveClients === 'all' ? seeing : seeing.slice(-1)
    for (const client of receivers) {
      if (!client.isLive) {
        if (policy.handOver === 'overlap') send(client, (frame ??= frameOf(event)))
        continue
      }
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
    attach(server: Server): void {
      server.on('upgrade', upgrade)
    },
    /** Tells the clients of a committed event. */
    publish(event: EventRecord): void {
      if (clients.size === 0) return
      const delayMs = policy.publishDelayMs()
      if (delayMs > 0) setTimeout(() => broadcast(event), delayMs)
      else broadcast(event)
    },
    /** Ends the streams of these orgs. */
    dropOrgs(orgIds: readonly string[]): void {
      for (const client of clients) if (orgIds.includes(client.key.orgId)) client.socket.close(1001)
    },
    close(): void {
      for (const client of clients) {
        stopWaiting(client)
        client.socket.terminate()
      }
      acceptor.close()
    },
  }
}
