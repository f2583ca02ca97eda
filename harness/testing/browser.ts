// A real browser for the tests of pages: Debian's chromium, headless, driven over the DevTools protocol.
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { WebSocket } from 'ws'

/** Path of the browser; undefined where none is installed: then say so, and skip. */
export const browserPath: string | undefined = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
  .find((path) => existsSync(path))

type Fields = Readonly<Record<string, unknown>>

export interface PageOptions {
  /** Size of the window in CSS pixels (default 1280 x 900). */
  readonly width?: number
  readonly height?: number
  /** The reader's system prefers dark. */
  readonly dark?: boolean
}

/** One tab. */
export interface Page {
  /** The value of an expression of the page, awaited; it must be JSON. Rejects with what the page threw. */
  evaluate<T>(expression: string): Promise<T>
  /** Resolves once the expression is true; looks again after every frame. Rejects after `withinMs` (default 10 s). */
  until(expression: string, withinMs?: number): Promise<void>
  /** Presses a key, such as `Tab`, `Enter`, `ArrowDown` or a character. */
  press(key: string): Promise<void>
  /** Writes a PNG of the whole page. */
  screenshot(file: string): Promise<void>
  /** What the page complained of so far: exceptions, console errors, refusals of its content security policy. */
  readonly complaints: readonly string[]
  /** Addresses the page asked for so far. */
  readonly requests: readonly string[]
}

export interface Browser {
  open(url: string, options?: PageOptions): Promise<Page>
  close(): Promise<void>
}

/** Starts the browser with a profile of its own. Rejects when it does not come up. */
export async function openBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error('no chromium is installed: apt-get install chromium')
  const profile = mkdtempSync(join(tmpdir(), 'browser-'))
  const process = spawn(
    browserPath,
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--no-proxy-server',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = new Promise<void>((resolve) => process.once('close', () => resolve()))
  const link = await DevTools.connect(await endpointOf(process))
  return {
    open: (url, options = {}) => openPage(link, url, options),
    async close() {
      await link.send('Browser.close').catch(() => {})
      await ended
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The address of the DevTools, which the browser writes to standard error. */
function endpointOf(process: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let written = ''
    process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      written += text
      const [, endpoint] = /DevTools listening on (ws:\S+)/.exec(written) ?? []
      if (endpoint !== undefined) resolve(endpoint)
    })
    process.once('error', reject)
    process.once('close', () => reject(new Error(`the browser ended: ${written.slice(-2000)}`)))
  })
}

class DevTools {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, { resolve: (result: Fields) => void; reject: (error: Error) => void }>()
  readonly #listeners: ((method: string, params: Fields, sessionId: string) => void)[] = []
  #last = 0

  static connect(endpoint: string): Promise<DevTools> {
    const socket = new WebSocket(endpoint, { perMessageDeflate: false, maxPayload: 256 * 1024 * 1024 })
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(new DevTools(socket)))
      socket.once('error', reject)
    })
  }

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data: Buffer) => this.#take(JSON.parse(data.toString()) as Fields))
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser is gone'))
    })
  }

  send(method: string, params: Fields = {}, sessionId?: string): Promise<Fields> {
    const id = ++this.#last
    this.#socket.send(JSON.stringify({ id, method, params, sessionId }))
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  on(listener: (method: string, params: Fields, sessionId: string) => void): void {
    this.#listeners.push(listener)
  }

  #take(message: Fields): void {
    const { id, method, params, result, error, sessionId } = message
    if (typeof id !== 'number') {
      for (const listener of this.#listeners) listener(String(method), (params ?? {}) as Fields, String(sessionId))
      return
    }
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error === undefined) waiting?.resolve((result ?? {}) as Fields)
    else waiting?.reject(new Error(`DevTools: ${JSON.stringify(error)}`))
  }
}

async function openPage(link: DevTools, url: string, options: PageOptions): Promise<Page> {
  const { width = 1280, height = 900, dark = false } = options
  const { targetId } = await link.send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await link.send('Target.attachToTarget', { targetId, flatten: true })
  const session = String(sessionId)
  const complaints: string[] = []
  const requests: string[] = []
  let loaded = () => {}
  link.on((method, params, from) => {
    if (from !== session) return
    if (method === 'Page.loadEventFired') loaded()
    if (method === 'Network.requestWillBeSent') requests.push(String((params['request'] as Fields)['url']))
    if (method === 'Network.webSocketCreated') requests.push(String(params['url']))
    const entry = params['entry'] as Fields | undefined
    const isComplaint =
      method === 'Runtime.exceptionThrown' ||
      (method === 'Runtime.consoleAPICalled' && params['type'] === 'error') ||
      (method === 'Log.entryAdded' && entry?.['level'] === 'error')
    if (isComplaint) complaints.push(JSON.stringify(params))
  })
  const send = (method: string, params?: Fields) => link.send(method, params, session)
  for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await send(`${domain}.enable`)
  await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 })
  const features = [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]
  await send('Emulation.setEmulatedMedia', { features })
  const load = new Promise<void>((resolve) => (loaded = resolve))
  await send('Page.navigate', { url })
  await load

  async function evaluate<T>(expression: string): Promise<T> {
    const answer = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    if (answer['exceptionDetails'] !== undefined) throw new Error(JSON.stringify(answer['exceptionDetails']))
    return (answer['result'] as Fields)['value'] as T
  }

  return {
    complaints,
    requests,
    evaluate,
    async until(expression, withinMs = 10_000) {
      const isTrue = await evaluate<boolean>(`new Promise((resolve) => {
        const end = performance.now() + ${withinMs}
        const look = () => {
          if (${expression}) resolve(true)
          else if (performance.now() > end) resolve(false)
          else requestAnimationFrame(look)
        }
        look()
      })`)
      if (!isTrue) throw new Error(`not within ${withinMs} ms: ${expression}`)
    },
    async press(key) {
      const isCharacter = key.length === 1
      const codes: Readonly<Record<string, number>> = { Tab: 9, Enter: 13, Escape: 27, ArrowUp: 38, ArrowDown: 40 }
      const text = isCharacter ? key : key === 'Enter' ? '\r' : undefined
      const fields = { key, code: isCharacter ? '' : key, windowsVirtualKeyCode: codes[key] ?? key.charCodeAt(0) }
      await send('Input.dispatchKeyEvent', { type: 'keyDown', ...fields, ...(text === undefined ? {} : { text }) })
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...fields })
    },
    async screenshot(file) {
      const { data } = await send('Page.captureScreenshot', { captureBeyondViewport: true })
      writeFileSync(file, Buffer.from(String(data), 'base64'))
    },
  }
}
