// `conformance observe` between the kit and a service: what it sees as it passes, and what it makes of the captures, is correct traffic.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../../../bin/cli/package.js'
import type { Report } from '../../../harness/index.js'
import { freePort, sinkCertificate } from '../../../harness/webhook-sink.js'

/** The sink's own address: the gateway listens at the usual one, on the same port. */
const sinkHost = '127.0.0.5'

export interface Observer {
  /** Where the kit reaches the service through the observer. */
  readonly url: string
  readonly ca: string
  readonly receiver: { readonly listen: string; readonly public_url: string }
  /** Ends it, judges its capture and `har`, and resolves to each check that failed, one line each. */
  end(har: string): Promise<readonly string[]>
  kill(): void
}

/** Starts it before a service at `baseUrl`; files are written to `folder`, their names beginning with `name`. */
export async function startObserver(baseUrl: string, folder: string, name: string): Promise<Observer> {
  const { ca, cert, key } = await sinkCertificate()
  const at = (ending: string) => join(folder, `${name}-${ending}`)
  writeFileSync(at('cert.pem'), cert)
  writeFileSync(at('key.pem'), key)
  const port = await freePort()
  const live = observe(
    ['--base-url', baseUrl, '--webhooks', `http://${sinkHost}:${port}`, '--webhook-listen', `127.0.0.1:${port}`],
    ['--tls-cert', at('cert.pem'), '--tls-key', at('key.pem'), '--record', at('capture.ndjson')],
    ['--reporter', `json=${at('live.json')}`],
  )
  const [url] = await live.listening(2)
  if (url === undefined) throw new Error(`observe: ${live.stderr()}`)
  const failedIn = async (what: string, run: Observing, report: string) => {
    const code = await run.closed
    try {
      const { cases } = JSON.parse(readFileSync(report, 'utf8')) as Report
      return cases
        .filter(({ status }) => status === 'failed')
        .map(({ id, message = '' }) => `${what} ${id}: ${message.split('\n')[0] ?? ''}`)
    } catch {
      return [`${what}: exit ${code}, no report: ${run.stderr().trim()}`]
    }
  }
  return {
    url,
    ca,
    receiver: { listen: `${sinkHost}:${port}`, public_url: `https://127.0.0.1:${port}/` },
    async end(har) {
      live.child.kill('SIGINT')
      const failed = await failedIn('live', live, at('live.json'))
      for (const [what, file] of [
        ['capture', at('capture.ndjson')],
        ['har', har],
      ] as const) {
        const report = at(`${what}.json`)
        const run = observe(['--from', file, '--base-url', url], ['--reporter', `json=${report}`])
        failed.push(...(await failedIn(what, run, report)))
      }
      return failed
    },
    kill: () => void live.child.kill('SIGKILL'),
  }
}

type Observing = ReturnType<typeof observe>

function observe(...args: readonly (readonly string[])[]) {
  const program = join(packageFolder(), 'bin/conformance.js')
  const child = spawn(process.execPath, [program, 'observe', '--quiet', ...args.flat()], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  const closed = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)))
  const addresses = () => [...stderr.matchAll(/Listening on (\S+)/g)].map(([, url = '']) => url)
  const lookers = new Set<() => void>()
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    for (const look of lookers) look()
  })
  return {
    child,
    closed,
    stderr: () => stderr,
    /** Resolves to the addresses once there are so many, or the program has ended. */
    listening: (count: number) =>
      new Promise<readonly string[]>((resolve) => {
        const look = () => {
          if (addresses().length >= count && stderr.endsWith('\n')) resolve(addresses())
        }
        lookers.add(look)
        look()
        void closed.then(() => resolve([]))
      }),
  }
}
