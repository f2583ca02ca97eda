import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const program = resolve(import.meta.dirname, '../../../bin/conformance.js')
/** Writes the process's highest resident memory, in kilobytes, when it ends. */
const peakWriter = `data:text/javascript,import{writeFileSync}from'node:fs';process.on('exit',()=>writeFileSync(process.env.PEAK_FILE,String(process.resourceUsage().maxRSS)))`

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Heap limit, in MiB. */
  readonly heapMb?: number
  /** Reports to write beside the JSON one; read back into `reports`. */
  readonly reporters?: readonly string[]
  /** After so many milliseconds the process is killed and `code` is -1. */
  readonly killAfterMs?: number
  readonly cwd?: string
}

export interface CommandEnd {
  readonly code: number
  readonly out: string
  readonly err: string
  readonly peakMb: number
  readonly durationMs: number
  /** By reporter name; `json` is always there unless the command wrote none. */
  readonly reports: Readonly<Record<string, string>>
  readonly report: HostileReport | undefined
}

/** The members of the JSON report that tests look at. */
export interface HostileReport {
  readonly verdict: string
  readonly note?: string
  readonly summary: { readonly cases: Readonly<Record<string, number>> }
  readonly cases: readonly {
    readonly id: string
    readonly status: string
    readonly message?: string
    readonly reason?: string
    readonly violates?: readonly string[]
  }[]
}

/** Runs the built command as a process of its own, with little memory, and reads what it wrote. */
export async function command(args: readonly string[], options: CommandOptions = {}): Promise<CommandEnd> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
  const names = ['json', ...(options.reporters ?? [])]
  const file = (name: string) => join(folder, `report.${name}`)
  const split = args.indexOf('--')
  const own = split === -1 ? args : args.slice(0, split)
  const driver = split === -1 ? [] : args.slice(split)
  const reporting = names.flatMap((name) => ['--reporter', `${name}=${file(name)}`])
  const started = performance.now()
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${options.heapMb ?? 192}`, '--import', peakWriter, program, ...own, ...reporting, ...driver],
    {
      cwd: options.cwd ?? folder,
      env: { ...process.env, NO_COLOR: '1', PEAK_FILE: join(folder, 'peak'), ...options.env },
    },
  )
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  const timer = setTimeout(() => child.kill('SIGKILL'), options.killAfterMs ?? 110_000)
  const code = await new Promise<number>((done) => child.once('close', (exit) => done(exit ?? -1)))
  clearTimeout(timer)
  const reports = Object.fromEntries(names.map((name) => [name, read(file(name)) ?? '']))
  const end = {
    code,
    out: Buffer.concat(out).toString('utf8'),
    err: Buffer.concat(err).toString('utf8'),
    peakMb: Math.round(Number(read(join(folder, 'peak')) ?? 0) / 1024),
    durationMs: performance.now() - started,
    reports,
    report: parse(reports['json']),
  }
  rmSync(folder, { recursive: true, force: true })
  return end
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function parse(text: string | undefined): HostileReport | undefined {
  try {
    return JSON.parse(text ?? '') as HostileReport
  } catch {
    return undefined
  }
}
