import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { packageFolder } from '../../../bin/cli/package.js'

/** A process that ended. */
export interface Ended {
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakMb: number
  readonly output: string
  /** Most of its child processes that ran at once; 0 without a count, or on systems without that figure. */
  readonly children: number
}

/** Variables of every child: they turn off the usage reports of tools. */
const environment = { ...process.env, STEPCI_DISABLE_ANALYTICS: '1', DO_NOT_TRACK: '1', NO_COLOR: '1' }

/** Arguments of Node for every child, for instance `--cpu-prof`. */
export const nodeArguments: string[] = []

/**
 * Runs Node with `words` to its end. `measuresUse` measures the CPU time and peak memory of the process, which costs some milliseconds of
 * start-up. Errors: `Error` with the end of its output when it ends with another code than 0.
 */
export async function runNode(
  words: readonly string[],
  options: {
    readonly measuresUse?: boolean
    readonly isDiscarded?: boolean
    /** Looks every 50 ms how many processes it has started. */
    readonly countsChildren?: boolean
    readonly acceptsFailure?: boolean
    /** Called with each piece of its standard output, when it arrives. */
    readonly onOutput?: (text: string) => void
    readonly env?: Readonly<Record<string, string>>
  } = {},
): Promise<Ended> {
  const probe = options.measuresUse === true ? ['--import', new URL('./probes/at-exit.js', import.meta.url).href] : []
  const began = performance.now()
  const child = spawn(process.execPath, [...nodeArguments, ...probe, ...words], {
    cwd: packageFolder(),
    env: { ...environment, ...options.env },
    stdio: ['ignore', options.isDiscarded === true ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  const texts = ['', '', '', '']
  for (const index of [1, 2, 3]) {
    const pipe = child.stdio[index]
    if (pipe === null || pipe === undefined) continue
    pipe.on('data', (chunk: Buffer) => {
      texts[index] += chunk.toString()
      if (index === 1) options.onOutput?.(chunk.toString())
    })
  }
  let children = 0
  const counting =
    options.countsChildren === true
      ? setInterval(() => (children = Math.max(children, childrenOf(child.pid ?? 0))), countEveryMs)
      : undefined
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(counting)
  const wallMs = performance.now() - began
  if (code !== 0 && options.acceptsFailure !== true)
    throw new Error(`node ${words.join(' ')} ended with ${code}: ${`${texts[1]}${texts[2]}`.trim().slice(-500)}`)
  const use = texts[3] === '' ? undefined : (JSON.parse(texts[3] ?? '{}') as { cpuMs: number; peakMb: number })
  return {
    wallMs,
    cpuMs: use?.cpuMs ?? Number.NaN,
    peakMb: use?.peakMb ?? Number.NaN,
    output: texts[1] ?? '',
    children,
  }
}

const countEveryMs = 50

function childrenOf(pid: number): number {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).length
  } catch {
    return 0
  }
}

/** A part that runs in a process of its own, so that its cost is not the measuring process's. */
export interface Host<Facts> {
  readonly facts: Facts
  /** Calls a function of the part by name. */
  call<Result>(name: string, argument?: unknown): Promise<Result>
  /** CPU time so far, memory now and at its peak. */
  use(): Promise<{ cpuMs: number; mb: number; peakMb: number; descriptors: number }>
  close(): Promise<void>
}

/** Starts `hosts/<name>.js` with an argument. */
export async function startHost<Facts>(name: string, argument?: unknown): Promise<Host<Facts>> {
  const child: ChildProcess = fork(
    fileURLToPath(new URL('./hosts/host.js', import.meta.url)),
    [name, JSON.stringify(argument ?? null)],
    { execArgv: ['--expose-gc', ...nodeArguments], env: environment, serialization: 'advanced' },
  )
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()
  let number = 0
  child.on('message', (message: { number: number; value?: never; error?: string }) => {
    const call = waiting.get(message.number)
    waiting.delete(message.number)
    if (message.error === undefined) call?.resolve(message.value as never)
    else call?.reject(new Error(`${name}: ${message.error}`))
  })
  child.on('exit', (code) => {
    for (const call of waiting.values()) call.reject(new Error(`${name} ended with ${code}`))
  })
  const call = <Result>(what: string, value?: unknown): Promise<Result> =>
    new Promise<Result>((resolve, reject) => {
      waiting.set(++number, { resolve, reject })
      child.send({ number, name: what, argument: value })
    })
  const facts = await call<Facts>('start')
  return {
    facts,
    call,
    use: () => call('use'),
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      await call('close').catch(() => undefined)
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** The path of a file of a comparison program; undefined where it is not installed. */
export function peer(path: string): string | undefined {
  const file = `${packageFolder()}/proof/lab/bench/peers/node_modules/${path}`
  return existsSync(file) ? file : undefined
}

export const peerHint = 'not installed: npm ci --prefix proof/lab/bench/peers'
