// Fields that a user marked: nothing of them is left, and their absence counts against nothing.
import { expect, test } from 'vitest'
import { markedPath, withoutMarked, type MarkedPath } from '../../harness/observe/index.js'
import type { ExchangeLine, TrafficLine } from '../../harness/observe/record.js'
import { har } from '../../harness/testing/traffic/har.js'
import { broken, linesOf } from '../../harness/testing/traffic/traffic-verdict.js'
import { conformingTraffic } from '../../harness/testing/traffic/conforming-traffic.js'

function line(body: string): ExchangeLine {
  const at = '2026-01-02T03:04:05.000Z'
  const request = { headers: [], body }
  return { kind: 'exchange', at, duration_ms: 1, service: 'x', method: 'POST', path: '/v1/emails', request }
}

function marked(body: string, ...paths: string[]): string | undefined {
  const clean = withoutMarked(
    line(body),
    paths.map((path) => markedPath(path) ?? []),
  )
  return clean.kind === 'exchange' ? (clean.request.body ?? clean.request.body_missing) : undefined
}

test.each([
  [
    '$.data.subject',
    { id: 1, data: { subject: 'S', from: 'f' } },
    { id: 1, data: { subject: '[redacted]', from: 'f' } },
  ],
  ['data.subject', { data: [{ data: { subject: 'S' } }] }, { data: [{ data: { subject: '[redacted]' } }] }],
  ['$..subject', { a: { subject: { deep: 'S' } } }, { a: { subject: '[redacted]' } }],
  [
    '$.to[0].email',
    { to: [{ email: 'a' }, { email: 'b' }] },
    { to: [{ email: '[redacted]' }, { email: '[redacted]' }] },
  ],
  ["$['x.y']", { 'x.y': 'S', x: { y: 'T' } }, { 'x.y': '[redacted]', x: { y: 'T' } }],
  ['$.headers.*', { headers: { a: 'S', b: 'T' } }, { headers: { a: '[redacted]', b: '[redacted]' } }],
])('%s leaves nothing of what it names', (path, body, clean) => {
  expect(JSON.parse(marked(JSON.stringify(body), path) ?? '')).toEqual(clean)
})

test('a body that is not JSON goes whole, bytes go whole, and a body in which nothing is marked stays as it was signed', () => {
  expect(marked('subject=S', '$.subject')).toBe('marked to be left out')
  expect(marked('{ "a" : 1e2 }\n', '$.subject')).toBe('{ "a" : 1e2 }\n')
  expect(marked('{"a":1}', '$')).toBe('marked to be left out')
  const frame: TrafficLine = { kind: 'frame', at: '2026-01-02T03:04:05.000Z', stream: 's', body_base64: 'U1M=' }
  expect(JSON.stringify(withoutMarked(frame, [['subject']]))).not.toContain('U1M=')
})

test.each(['data/subject', '$.', '$.a[', 'a b', '$.a["b]', '$[a]', "$['a'"])('%s is no path', (text) => {
  expect(markedPath(text)).toBeUndefined()
})

/** Every member in the bodies of lines: by its name, and by its name and the one above it. */
function membersIn(lines: readonly TrafficLine[]): readonly string[] {
  const names = new Set<string>(['$'])
  const collect = (value: unknown, above?: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, member] of Object.entries(value)) {
      if (!Array.isArray(value)) names.add(name)
      if (!Array.isArray(value) && above !== undefined) names.add(`${above}.${name}`)
      collect(member, Array.isArray(value) ? above : name)
    }
  }
  for (const line of lines) {
    const bodies =
      line.kind === 'frame'
        ? [line]
        : line.kind === 'stream' || line.kind === 'stream-end'
          ? []
          : [line.request, line.response]
    for (const message of bodies) if (message?.body !== undefined) collect(JSON.parse(message.body))
  }
  return [...names]
}

test.each(Object.entries(conformingTraffic))('a marked value is not a fault: %s', (_name, entries) => {
  const lines = linesOf(har(entries))
  const found = Object.fromEntries(
    membersIn(lines).map((name) => {
      const paths: MarkedPath[] = [markedPath(name) ?? []]
      return [name, broken(lines.map((line) => withoutMarked(line, paths)))]
    }),
  )
  expect(Object.entries(found).filter(([, requirements]) => requirements.length > 0)).toEqual([])
})
