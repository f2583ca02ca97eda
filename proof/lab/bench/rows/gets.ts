import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atMost, contest, mapped, ratioOf, scaled, sampleOf, type Figure, type Row } from '../figure.js'
import { peer, peerHint, runNode, startHost } from '../child.js'

const limit = 1.4

const page = JSON.stringify({
  data: [
    {
      id: 'evt_01HZX3V5Y8Q2W4E6R8T0Y2U4I6',
      type: 'sending.resumed',
      org_id: 'org_1',
      created_at: '2026-01-02T03:04:05.678Z',
      data: { workspace_id: 'wks_1', status: 'active' },
    },
  ],
  next_after: 'evt_01HZX3V5Y8Q2W4E6R8T0Y2U4I6',
})

/** GETs one after the other, status and body checked, as whole processes; the loop alone for the first two. */
export const gets: Row = {
  name: 'gets',
  title: "500 checked GETs through the harness's client",
  async run({ rounds, scale }) {
    const count = scaled(500, scale, 10)
    const server = await startHost<{ url: string }>('plain-http', { body: page })
    const folder = mkdtempSync(join(tmpdir(), 'bench-'))
    try {
      const { url } = server.facts
      const loops: Record<string, number[]> = { kit: [], undici: [] }
      const process_ = (words: readonly string[], loop?: string) => async () => {
        await server.call('taken')
        const { wallMs, output } = await runNode(words, { env: { BENCH_URL: url, BENCH_COUNT: String(count) } })
        const taken = await server.call<number>('taken')
        if (taken !== count) throw new Error(`${words[0]} sent ${taken} requests, not ${count}`)
        if (loop !== undefined) loops[loop]?.push(Number(output))
        return wallMs
      }
      const probe = (name: string) => fileURLToPath(new URL(`../probes/${name}.js`, import.meta.url))
      const others = programs(folder, url, count)
      const sides = await contest<string>(
        {
          kit: process_([probe('gets-kit'), url, String(count)], 'kit'),
          undici: process_([probe('gets-undici'), url, String(count)], 'undici'),
        },
        rounds * 2 + 1,
      )
      const installed = Object.entries(others).filter(([, words]) => words !== undefined)
      const slow = await contest<string>(
        {
          undici: process_([probe('gets-undici'), url, String(count)]),
          ...Object.fromEntries(installed.map(([name, words]) => [name, process_(words ?? [])])),
        },
        Math.max(1, Math.floor(rounds / 2)),
      )
      const loop = (name: string) => sampleOf((loops[name] ?? []).slice(1))
      const bare = sides['undici'] ?? loop('undici')
      const whole = ratioOf(sides['kit'] ?? bare, bare)
      const alone = ratioOf(loop('kit'), loop('undici'))
      const per = (name: string) => mapped(loop(name), (ms) => (ms / count) * 1000)
      const figures: Figure[] = [
        {
          what: 'one GET, checked against the OpenAPI document',
          unit: 'us',
          value: per('kit'),
          yardstick: { name: 'raw undici loop', value: per('undici') },
          ratio: alone,
          bar: atMost(limit, alone, ' x'),
        },
        {
          what: `${count} GETs as a process, start-up included`,
          unit: 'ms',
          value: sides['kit'],
          yardstick: { name: 'raw undici process', value: bare },
          ratio: whole,
          bar: atMost(limit, whole, ' x'),
        },
      ]
      for (const name of Object.keys(others)) {
        const value = slow[name]
        const yardstickMs = slow['undici'] ?? bare
        if (value === undefined) figures.push({ what: `\`${name}\``, unit: 'ms', value: undefined, note: peerHint })
        else {
          const yardstick = { name: 'raw undici process', value: yardstickMs }
          figures.push({
            what: `\`${name}\`, the same ${count}`,
            unit: 'ms',
            value,
            yardstick,
            ratio: ratioOf(value, yardstickMs),
          })
        }
      }
      return figures
    } finally {
      rmSync(folder, { recursive: true })
      await server.close()
    }
  },
}

/** Returns the command of each other program for the same requests; undefined if it is not installed. */
function programs(folder: string, url: string, count: number): Record<string, readonly string[] | undefined> {
  const collection = join(folder, 'collection.json')
  const test =
    'pm.test("page", () => { pm.response.to.have.status(200); pm.expect(pm.response.json().data).to.be.an("array") })'
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
  const item = {
    name: 'poll',
    request: { method: 'GET', url: `${url}/v1/events` },
    event: [{ listen: 'test', script: { exec: [test] } }],
  }
  writeFileSync(collection, JSON.stringify({ info: { name: 'gets', schema }, item: [item] }))
  const workflow = join(folder, 'workflow.yml')
  const step = {
    name: 'poll',
    http: {
      url: `${url}/v1/events`,
      method: 'GET',
      check: { status: 200, jsonpath: { '$.data[0].type': 'sending.resumed' } },
    },
  }
  writeFileSync(
    workflow,
    JSON.stringify({
      version: '1.1',
      name: 'gets',
      tests: { gets: { steps: Array.from({ length: count }, () => step) } },
    }),
  )
  const newman = peer('newman/bin/newman.js')
  const stepci = peer('stepci/dist/index.js')
  return {
    vitest: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'proof/lab/bench/peers/vitest.config.js',
      '--reporter',
      'dot',
    ],
    stepci: stepci === undefined ? undefined : [stepci, 'run', workflow],
    newman: newman === undefined ? undefined : [newman, 'run', collection, '-n', String(count), '--silent'],
  }
}
