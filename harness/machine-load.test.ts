import { mkdtempSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { MachineLoad } from './machine-load.js'

const folder = mkdtempSync(join(tmpdir(), 'machine-load-'))
const cores = availableParallelism()
const patient = { timeout: 20_000 }

/** A watch of a file that holds `text`. */
function watching(name: string, text: string): MachineLoad {
  const file = join(folder, name)
  writeFileSync(file, text)
  const load = new MachineLoad(file)
  onTestFinished(() => load.end())
  return load
}

const threads = (count: number) => `1.00 1.00 1.00 ${count}/900 4242\n`

it('sees a crowd once it has lasted, and is more patient meanwhile', async () => {
  const load = watching('crowd', threads(10 * cores))
  expect(load.crowdSince(0)).toBe(0)
  await vi.waitFor(() => expect(load.crowdSince(0)).toBe(10), patient)
  expect(load.crowdSince(performance.now() + 60_000)).toBe(0)
  expect(load.patience).toBeCloseTo(10 / 6)
})

it('does not count a few threads per core, or a file without figures, as a crowd', async () => {
  const calm = watching('calm', threads(5 * cores))
  const mute = watching('mute', 'nothing')
  const last = watching('last', threads(10 * cores))
  await vi.waitFor(() => expect(last.crowdSince(0)).toBeGreaterThan(0), patient)
  expect([calm.crowdSince(0), mute.crowdSince(0)]).toEqual([0, 0])
  expect([calm.patience, mute.patience]).toEqual([1, 1])
})
