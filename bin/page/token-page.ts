import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { streamSSE } from 'hono/streaming'
import { isFromOwnPage, pageFile, scriptsOf, servedHeaders, servedPage, type PageName } from '../../pages/index.js'

/** A page on loopback, at an unguessable address. */
export interface TokenPage {
  readonly url: string
  close(): Promise<void>
}

/** Longest body that a page sends, in bytes: ids of the cases to run again. */
const maxBodyBytes = 1024 * 1024

/** Time between two signs of life, in milliseconds: a page learns by them that its program is there. */
const beatMs = 5_000

/** Serves a page, its files, and at `events` the news of `follow`, until the page is closed. */
export async function startTokenPage<News>(options: {
  readonly page: PageName
  readonly title: string
  /** Sends the present state, then each change, until the returned function is called. */
  readonly follow: (notify: (news: News) => void) => () => void
  /** The other requests of the page, below `base`. */
  readonly routes?: (app: Hono, base: string) => void
}): Promise<TokenPage> {
  const { page, title, follow } = options
  const base = `/${randomBytes(16).toString('base64url')}/`
  const app = new Hono()
  app.use('*', async (c, next) => {
    // A foreign DNS name that resolves to this machine is refused.
    const host = c.req.header('host') ?? ''
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)) return c.text('', 403)
    if (c.req.method !== 'GET' && !isFromOwnPage((name) => c.req.header(name))) return c.text('', 403)
    await next()
    for (const [name, value] of Object.entries(servedHeaders)) c.res.headers.set(name, value)
    return undefined
  })
  app.use('*', bodyLimit({ maxSize: maxBodyBytes }))
  app.get(base, (c) => c.html(servedPage({ page, title, base })))
  for (const file of scriptsOf(page))
    app.get(base + file, (c) => c.body(pageFile(file), 200, { 'content-type': 'text/javascript; charset=utf-8' }))
  app.get(`${base}style.css`, (c) => c.body(pageFile('style.css'), 200, { 'content-type': 'text/css; charset=utf-8' }))
  app.get(`${base}events`, (c) =>
    streamSSE(c, async (stream) => {
      const leave = follow((news) => void stream.writeSSE({ data: JSON.stringify(news) }))
      const beat = setInterval(() => void stream.writeSSE({ event: 'beat', data: '' }), beatMs)
      await new Promise<void>((resolve) => stream.onAbort(resolve))
      clearInterval(beat)
      leave()
    }),
  )
  options.routes?.(app, base)
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${base}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}
