import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startReferenceReceiver } from '../../../../reference/receiver/index.js'
import { runNode, type Ended } from '../child.js'
import { farRun } from '../far-run.js'
import { atMost, sampleOf, type Figure, type Row } from '../figure.js'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const maxMb = 400

/** Whole runs as users make them: wall time, CPU, memory, and how many drivers run at once. */
export const users: Row = {
  name: 'users',
  title: 'whole runs as users make them',
  async run({ scale }) {
    const folder = mkdtempSync(join(tmpdir(), 'bench-users-'))
    const part = (suite: string) => (scale < 1 ? ['--suite', suite] : [])
    const kit = ([kind, ...words]: readonly [string, ...string[]]) =>
      runNode(['bin/conformance.js', kind, '--quiet', ...words], {
        measuresUse: true,
        countsChildren: true,
        env: { XDG_STATE_HOME: folder },
      })
    const receiver = await startReferenceReceiver({ secret })
    try {
      const figures: Figure[] = []
      const bare = await farRun(0, { scale, hasControl: false })
      figures.push(...figuresOf('`run`, base URL and key alone', bare))
      const slow = await farRun(0, { scale, hasControl: false, more: ['--max-rps', '20'] })
      figures.push(...figuresOf('`run`, base URL and key alone, `--max-rps 20`', slow))
      const { url } = receiver
      const posted = await kit(['receiver', '--url', url, '--secret', secret, ...part('receiver/acceptance')])
      figures.push(...figuresOf('`receiver`', posted))
      const drivers = [
        ['`verifier`, a driver in JavaScript', 'verifier', 'node', 'verifier.mjs'],
        ['`verifier`, a driver in Python', 'verifier', 'python3', 'verifier.py'],
        ['`client`, a driver in JavaScript', 'client', 'node', 'client.mjs'],
        ['`client`, a driver in Python', 'client', 'python3', 'client.py'],
      ] as const
      for (const [what, kind, program, file] of drivers) {
        if (!isThere(program)) {
          figures.push({ what, unit: 's', value: undefined, note: `${program} is not installed` })
          continue
        }
        const few = part(kind === 'client' ? 'client/errors' : 'verifier/signing')
        const ended = await kit([kind, ...few, '--', program, `fixtures/drivers/${file}`])
        figures.push(...figuresOf(what, ended))
        const children = sampleOf([ended.children])
        const bar = atMost(availableParallelism() + 1, children, ', cores and one')
        figures.push({ what: `${what}: drivers at once`, unit: '', value: children, bar })
      }
      return figures
    } finally {
      await receiver.close()
      rmSync(folder, { recursive: true })
    }
  },
}

function figuresOf(what: string, { wallMs, cpuMs, peakMb }: Ended): readonly Figure[] {
  const mb = sampleOf([peakMb])
  return [
    { what: `${what}: wall time`, unit: 's', value: sampleOf([wallMs / 1000]) },
    { what: `${what}: CPU time`, unit: 's', value: sampleOf([cpuMs / 1000]) },
    { what: `${what}: peak memory`, unit: 'MB', value: mb, bar: atMost(maxMb, mb, ' MB') },
  ]
}

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
