import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The command, from the sources or from the build. */
const [root = ''] = import.meta.dirname.split(/[\\/](?:dist[\\/])?harness[\\/]/)
const program = join(root, 'bin/conformance.js')
/**
 * Writes the process's highest resident memory, in kilobytes, when it ends: without that of its parent, if the system separates the two.
 */
const peakWriter = `data:text/javascript,import{existsSync,readFileSync,writeFileSync}from'node:fs';const s='/proc/self/status';process.on('exit',()=>writeFileSync(process.env.PEAK_FILE,String((existsSync(s)&&/VmHWM:\\s*(\\d+)/.exec(readFileSync(s,'utf8'))||[])[1]||process.resourceUsage().maxRSS)))`

export interface ExecuteOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Heap limit, in MiB; that of Node where absent. */
  readonly heapMb?: number
  /** Milliseconds after which the process is killed and `code` is -1. */
  readonly killAfterMs?: number
  readonly cwd?: string
}

export interface CommandOptions extends ExecuteOptions {
  /** Reports to write as well as the JSON one; read back into `reports`. */
  readonly reporters?: readonly string[]
}

export interface ExecuteEnd {
  readonly code: number
  readonly out: string
  readonly err: string
  readonly peakMb: number
  readonly durationMs: number
}

/** What a command that judges wrote. */
export interface Written {
  /** By reporter name; `json` is always there unless the command wrote none. */
  readonly reports: Readonly<Record<string, string>>
  readonly report: HostileReport | undefined
}

export interface CommandEnd extends ExecuteEnd, Written {}

/** The members of the JSON report that tests look at. */
export interface HostileReport {
  readonly verdict: string
  readonly note?: string
  readonly summary: { readonly cases: Readonly<Record<string, number>> }
  readonly requirements: readonly { readonly id: string; readonly status: string }[]
  readonly likely_causes?: readonly { readonly text: string; readonly remedy?: string }[]
  readonly cases: readonly {
    readonly id: string
    readonly status: string
    readonly level: string
    readonly message?: string
    readonly reason?: string
    readonly violates?: readonly string[]
  }[]
}

/** Runs the built command as a process of its own and reads what it wrote, reports too. */
export function command(args: readonly string[], options: CommandOptions = {}): Promise<CommandEnd> {
  return withReports(args, options.reporters, (all, cwd) => execute(all, { cwd, ...options }))
}

/** Adds options for the JSON report and for `reporters`, runs the command, whose folder is an empty one, and reads them. */
export async function withReports<End>(
  args: readonly string[],
  reporters: readonly string[] = [],
  run: (args: readonly string[], cwd: string) => Promise<End>,
): Promise<End & Written> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
  const names = ['json', ...reporters]
  const file = (name: string) => join(folder, `report.${name}`)
  const split = args.indexOf('--')
  const own = split === -1 ? args : args.slice(0, split)
  const driver = split === -1 ? [] : args.slice(split)
  const reporting = names.flatMap((name) => ['--reporter', `${name}=${file(name)}`])
  const end = await run([...own, ...reporting, ...driver], folder)
  const reports = Object.fromEntries(names.map((name) => [name, read(file(name)) ?? '']))
  rmSync(folder, { recursive: true, force: true })
  return { ...end, reports, report: parse(reports['json']) }
}

/** Runs the built command as a process of its own, with these arguments alone. */
export async function execute(args: readonly string[], options: ExecuteOptions = {}): Promise<ExecuteEnd> {
  const folder = mkdtempSync(join(tmpdir(), 'execute-'))
  const started = performance.now()
  const heap = options.heapMb === undefined ? [] : [`--max-old-space-size=${options.heapMb}`]
  const peakFile = join(folder, 'peak')
  const child = spawn(process.execPath, [...heap, '--import', peakWriter, program, ...args], {
    cwd: options.cwd ?? folder,
    env: { ...process.env, NO_COLOR: '1', PEAK_FILE: peakFile, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  let killedAtMb = 0
  const timer = setTimeout(() => {
    killedAtMb = peakOf(child.pid)
    child.kill('SIGKILL')
  }, options.killAfterMs ?? 110_000)
  const code = await new Promise<number>((done) => child.once('close', (exit) => done(exit ?? -1)))
  clearTimeout(timer)
  const end = {
    code,
    out: Buffer.concat(out).toString('utf8'),
    err: Buffer.concat(err).toString('utf8'),
    peakMb: Math.max(killedAtMb, Math.round(Number(read(peakFile) ?? 0) / 1024)),
    durationMs: performance.now() - started,
  }
  rmSync(folder, { recursive: true, force: true })
  return end
}

/** Returns the highest resident memory of a running process, in MiB; 0 on systems without that figure. */
function peakOf(pid: number | undefined): number {
  const [, kilobytes = '0'] = /VmHWM:\s*(\d+)/.exec(read(`/proc/${pid}/status`) ?? '') ?? []
  return Math.round(Number(kilobytes) / 1024)
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
