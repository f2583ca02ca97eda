// The server's guard against private addresses, with real connections: in a network namespace of its own, where every
// address there is belongs to the loopback interface, deliveries are made to both ends of every refused block and to
// their public neighbours, and whatever arrives is seen.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { loadAddressEdges } from '../../../fixtures/index.js'

const lab = resolve(import.meta.dirname, '../testing/egress-lab.js')
const everyAddressIsLocal =
  'ip link set lo up && ip route add local default dev lo && ip -6 route add local default dev lo && exec "$@"'
const namespace = ['--user', '--map-root-user', '--net', 'sh', '-c', everyAddressIsLocal, 'sh']
const hasNamespaces = spawnSync('unshare', [...namespace, 'true'], { stdio: 'ignore' }).status === 0

interface Seen {
  readonly literals: readonly string[]
  readonly named: readonly string[]
  readonly mixed: readonly string[]
  readonly exemptions: readonly (string | null)[]
  readonly connected: readonly string[]
  readonly exempted: readonly string[]
}

const blocked = 'blocked_private_address'

test.skipIf(!hasNamespaces)(
  'no refused address is connected to, every public neighbour is, and exemptions are exact (needs unshare and ip)',
  () => {
    const edges = loadAddressEdges().filter((row) => row.level === 'must')
    const addresses = edges.map(({ address }) => address)
    const refused = edges.filter((row) => row.expect === 'refuse').map(({ address }) => address)
    const accepted = edges.filter((row) => row.expect === 'accept').map(({ address }) => address)
    const answers = refused.map((address) => [accepted[0] ?? '', address])
    const run = spawnSync('unshare', [...namespace, process.execPath, lab], {
      input: JSON.stringify({ addresses, answers }),
      encoding: 'utf8',
    })
    expect(run.stderr).toBe('')
    const seen = JSON.parse(run.stdout) as Seen

    const judged = edges.map(({ address, expect: expected }) => `${address} ${expected}`)
    const verdicts = (errors: readonly string[]): string[] =>
      addresses.map((address, index) => `${address} ${errors[index] === blocked ? 'refuse' : 'accept'}`)
    expect(verdicts(seen.literals)).toEqual(judged)
    expect(verdicts(seen.named)).toEqual(judged)
    expect(seen.mixed.filter((error) => error !== blocked)).toEqual([])
    expect(refused.length).toBeGreaterThan(40)
    expect([...seen.connected].sort()).toEqual([...new Set(accepted.map((address) => `${address} 443`))].sort())

    expect([...seen.exempted].sort()).toEqual(['10.0.0.1 443', 'fd00::1 8443'])
    expect(seen.exemptions.map((error) => error === blocked)).toEqual([false, true, true, false, true, true])
  },
)
