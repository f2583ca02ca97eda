import type { ServiceEvent } from './service.js'

/** Events that are kept; pages of the backlog that are read. */
const most = { events: 200, pages: 40 }
const longestWaitMs = 10_000

/**
 * Follows the events of an org: what there is, then the stream from the last one on; begins again when the stream breaks.
 * Returns what ends it.
 */
export function followEvents(options: {
  readonly key: string
  readonly page: (after: string) => Promise<readonly ServiceEvent[]>
  /** Gets the newest events, newest first. */
  readonly onEvents: (events: readonly ServiceEvent[]) => void
  readonly onOpen: (isOpen: boolean) => void
}): () => void {
  const { key, page, onEvents, onOpen } = options
  const events: ServiceEvent[] = []
  const seen = new Set<string>()
  let cursor = ''
  let waitMs = 1_000
  let isOver = false
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const take = (event: ServiceEvent) => {
    if (seen.has(event.id)) return
    seen.add(event.id)
    cursor = event.id
    events.unshift(event)
    events.length = Math.min(events.length, most.events)
  }
  async function backlog(): Promise<void> {
    for (let count = 0; count < most.pages; count++) {
      const found = await page(cursor)
      for (const event of found) take(event)
      if (found.length < 100) break
    }
    onEvents([...events])
  }
  function listen(): void {
    if (isOver) return
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
    const after = cursor === '' ? '' : `&after=${encodeURIComponent(cursor)}`
    socket = new WebSocket(`${scheme}//${location.host}/v1/events/ws?token=${encodeURIComponent(key)}${after}`)
    socket.addEventListener('open', () => {
      waitMs = 1_000
      onOpen(true)
      // Events raised between the last page and the first frame.
      void backlog().catch(() => onOpen(false))
    })
    socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      take(JSON.parse(data) as ServiceEvent)
      onEvents([...events])
    })
    socket.addEventListener('close', () => {
      onOpen(false)
      timer = setTimeout(listen, waitMs)
      waitMs = Math.min(waitMs * 2, longestWaitMs)
    })
  }
  void backlog().then(listen, listen)
  return () => {
    isOver = true
    clearTimeout(timer)
    socket?.close()
  }
}
