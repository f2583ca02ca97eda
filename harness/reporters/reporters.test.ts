// Every format rendered from the same reports, read back by what reads it elsewhere: schemas, an XML validator, parsers.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import type { Report } from '../result.js'
import { attempt, hostileText, sampleCases, sampleReport } from '../testing/sample-report.js'
import { badges, reporters, type CreateReporter } from './index.js'

const require = createRequire(import.meta.url)

function rendered(create: CreateReporter, report: Report, columns?: number): string {
  let text = ''
  const output = { write: (part: string) => void (text += part), isTerminal: false, colour: false }
  const reporter = create(columns === undefined ? output : { ...output, columns }, { verbosity: 'normal' })
  reporter.onRunStart?.({ subject: report.subject, cases: report.cases.length, seed: report.seed })
  for (const result of report.cases) reporter.onCaseEnd?.(result)
  reporter.onRunEnd?.(report)
  return text
}

/** A run without results: its target was not there. */
const unreachable = sampleReport({
  verdict: 'none',
  cases: [],
  requirements: [],
  known_failure_problems: [],
  note: 'no connection to http://127.0.0.1:9',
})
const clean = sampleReport({ verdict: 'partial', cases: sampleCases().slice(0, 1), known_failure_problems: [] })
const samples = { hostile: sampleReport(), unreachable, clean }

/** Characters that a terminal or a parser would obey, and half surrogate pairs. */
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]|[\ud800-\udbff](?![\udc00-\udfff])/

describe('json', () => {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  // fixtures/schemas/report.schema.json is what the package publishes; harness may not import fixtures.
  const schema: unknown = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../fixtures/schemas/report.schema.json'), 'utf8'),
  )
  const validate = ajv.compile(schema as object)

  it.each(Object.entries(samples))('is the report, and matches the published schema (%s)', (_, report) => {
    const read = JSON.parse(rendered(reporters.json, report)) as unknown
    expect(read).toEqual(report)
    expect(validate(read), JSON.stringify(validate.errors)).toBe(true)
  })
})

describe('junit', () => {
  const { validateXML } = require('xmllint-wasm') as {
    validateXML(options: { xml: string; schema: string }): Promise<{ valid: boolean; errors: readonly unknown[] }>
  }
  const xsd = readFileSync(join(import.meta.dirname, '../testing/junit.xsd'), 'utf8')

  it.each(Object.entries(samples))('is valid (%s)', async (_, report) => {
    const { valid, errors } = await validateXML({ xml: rendered(reporters.junit, report), schema: xsd })
    expect(errors).toEqual([])
    expect(valid).toBe(true)
  })

  it('distinguishes failure, error and skipped, and counts them', () => {
    const xml = rendered(reporters.junit, samples.hostile)
    expect(xml).toMatch(/<testsuites name="[^"]*" tests="6" failures="2" errors="1" time="6\.543">/)
    expect(xml).toMatch(
      /<testsuite name="service\/webhooks" [^>]*tests="3" failures="1" errors="0" skipped="1" time="3\.702">/,
    )
    expect(xml).toMatch(/name="service\/webhooks\/fails" time="1\.234">\s*<failure message="status .*expected 201/)
    expect(xml).toMatch(/name="service\/webhooks\/fails-as-known" time="1\.234">\s*<skipped message="known failure/)
    expect(xml).toMatch(/name="service\/retries\/errs" time="1\.234">\s*<error message="no answer/)
    expect(xml).toMatch(/name="known-failures\/service\/webhooks\/passes" time="0\.000">\s*<failure/)
    expect(xml).toContain('<system-out>sent POST http://127.0.0.1:8080/v1/webhooks')
    expect(xml).not.toMatch(unsafe)
  })

  it('does not report an empty success where nothing could run', () => {
    expect(rendered(reporters.junit, unreachable)).toMatch(/<error message="no verdict: no connection/)
  })
})

describe('ctrf', () => {
  const ajv = new Ajv({ strict: false })
  formats.default(ajv)
  const place = join(dirname(require.resolve('ctrf')), 'ctrf-schema-0.0.json')
  const validate = ajv.compile(JSON.parse(readFileSync(place, 'utf8')) as object)

  it.each(Object.entries(samples))('matches the schema of CTRF (%s)', (_, report) => {
    const read = JSON.parse(rendered(reporters.ctrf, report)) as unknown
    expect(validate(read), JSON.stringify(validate.errors)).toBe(true)
  })

  it('counts what it lists', () => {
    const { results } = JSON.parse(rendered(reporters.ctrf, samples.hostile)) as {
      results: { summary: Record<string, number>; tests: readonly { status: string; rawStatus: string }[] }
    }
    expect(results.tests.map((test) => `${test.status} ${test.rawStatus}`)).toEqual([
      'passed passed',
      'failed failed',
      'skipped known_failure',
      'other errored',
      'skipped skipped',
      'failed failed',
    ])
    expect(results.summary).toMatchObject({ tests: 6, passed: 1, failed: 2, skipped: 2, other: 1, pending: 0 })
    expect((results.summary['stop'] ?? 0) - (results.summary['start'] ?? 0)).toBe(6_543)
  })
})

describe('attestation', () => {
  // The fields of the predicate test-result/v0.1, and of the descriptors of resources it holds.
  const descriptor = {
    type: 'object',
    anyOf: ['uri', 'digest', 'content'].map((name) => ({ required: [name] })),
    properties: {
      name: { type: 'string' },
      uri: { type: 'string', pattern: '^[a-z]+:' },
      annotations: { type: 'object' },
    },
    additionalProperties: false,
  }
  const names = { type: 'array', items: { type: 'string' } }
  const validate = new Ajv({ strict: false }).compile({
    type: 'object',
    required: ['result', 'configuration'],
    properties: {
      result: { enum: ['PASSED', 'WARNED', 'FAILED'] },
      configuration: { type: 'array', minItems: 1, items: descriptor },
      passedTests: names,
      warnedTests: names,
      failedTests: names,
    },
    additionalProperties: false,
  })
  const read = (report: Report) => JSON.parse(rendered(reporters.attestation, report)) as Record<string, unknown>

  it.each(Object.entries(samples))('is a predicate of a test result (%s)', (_, report) => {
    expect(validate(read(report)), JSON.stringify(validate.errors)).toBe(true)
  })

  it('shows how each case ended, and never a failure as passed', () => {
    const { result, passedTests, warnedTests, failedTests } = read(samples.hostile)
    expect(
      [result, passedTests, warnedTests, failedTests].map((value) => (Array.isArray(value) ? value.length : value)),
    ).toEqual(['FAILED', 1, 1, 3])
    expect(read(samples.unreachable)['result']).toBe('FAILED')
    expect(read(samples.clean)['result']).toBe('WARNED')
    expect(read({ ...samples.clean, verdict: 'conformant' })['result']).toBe('PASSED')
  })
})

describe('markdown', () => {
  const text = rendered(reporters.markdown, samples.hostile)

  it('keeps its tables whole and makes no HTML of text from a target', () => {
    const table = text.split('\n').filter((line) => line.startsWith('|'))
    const columns = (line: string) => line.replaceAll('\\|', '').split('|').length - 2
    const [failures] = text.split('| Case | Requirement | Evidence |').slice(1)
    const rows = (failures ?? '').split('\n\n')[0]?.trim().split('\n') ?? []
    expect(rows).toHaveLength(4)
    for (const row of rows) expect(columns(row)).toBe(3)
    expect(table.length).toBeGreaterThan(8)
    const tags = new Set(text.match(/<[^\s<>]+/g))
    expect([...tags].sort()).toEqual([
      '</code',
      '</details',
      '</pre',
      '</summary',
      '<code',
      '<details',
      '<pre',
      '<summary',
    ])
    expect(text).not.toMatch(unsafe)
    expect(text.replace(/<pre>[^<]*<\/pre>/g, '')).not.toMatch(/(?<!\\)\[link/)
  })

  it('prints the command to rerun, and that the known-failures file is out of date', () => {
    expect(text).toContain('--case service/webhooks/creates-with-201 --seed 7')
    expect(text).toContain('The known-failures file is out of date')
  })
})

describe('github', () => {
  it('writes annotations and no other command', () => {
    const lines = rendered(reporters.github, samples.hostile).trimEnd().split('\n')
    expect(lines).toHaveLength(5)
    for (const line of lines) expect(line).toMatch(/^::(error|warning|notice) title=[^:,\n]+::[^\r]*$/)
    expect(lines.join('\n')).not.toMatch(/##\[/)
    expect(lines.join('\n')).not.toMatch(/%0A(?!rerun: conformance run|(smallest )?counterexample: )/)
    expect(lines.map((line) => line.slice(2, line.indexOf(' ')))).toEqual([
      'error',
      'error',
      'error',
      'warning',
      'warning',
    ])
  })

  it('reports as an error that there is no verdict', () => {
    expect(rendered(reporters.github, unreachable)).toMatch(/^::error title=conformance::none: .*no connection/)
  })
})

describe('tap', () => {
  it('numbers its points, escapes what would be a directive, and keeps each point on one line', () => {
    const lines = rendered(reporters.tap, samples.hostile).trimEnd().split('\n')
    expect(lines.slice(0, 2)).toEqual(['TAP version 14', '1..6'])
    const points = lines.filter((line) => /^(not )?ok /.test(line))
    expect(points.map((line) => Number(/(\d+) - /.exec(line)?.[1]))).toEqual([1, 2, 3, 4, 5, 6])
    const directives = points.map((line) => /(?<!\\)# (SKIP|TODO)/.exec(line)?.[1])
    expect(directives).toEqual([undefined, undefined, 'TODO', undefined, 'SKIP', undefined])
    expect(lines.filter((line) => line.startsWith('Bail out!'))).toEqual([])
    const diagnostics = lines.filter((line) => !/^(not )?ok |^ {2}|^TAP|^1\.\./.test(line))
    expect(diagnostics).toHaveLength(1)
  })

  it('bails out where nothing could run: an empty plan would be a success', () => {
    const text = rendered(reporters.tap, unreachable)
    expect(text).toMatch(/^Bail out! no connection/m)
    expect(text).not.toContain('1..0')
  })
})

describe('pretty', () => {
  const failing = sampleReport({
    subject: { kind: 'service', name: 'http://127.0.0.1:8080' },
    cases: [
      {
        id: 'service/retries/second-attempt-after-5-seconds',
        suite: 'service/retries',
        title: 'the second attempt is made 5 seconds after the first',
        level: 'must',
        requirements: ['RTY-002', 'WHK-001'],
        status: 'failed',
        known_failure: false,
        duration_ms: 9,
        message: 'expected 5 to 7 got 11',
        violates: ['RTY-002'],
        checks: [{ kind: 'compared', what: 'seconds between attempts 1 and 2', expected: '5 to 7', got: '11' }],
        reproduce:
          'conformance run --base-url http://127.0.0.1:8080 --case service/retries/second-attempt-after-5-seconds --seed 7',
        exchanges: [attempt(0), attempt(11)],
      },
    ],
    requirements: [],
    known_failure_problems: [],
    verdict: 'nonconformant',
    duration_ms: 1_000,
  })

  it('breaks a long heading between the target and the number of cases', () => {
    const subject = { ...failing.subject, name: `http://127.0.0.1:8080/${'long/'.repeat(9)}` }
    const [target, size] = rendered(reporters.pretty, { ...failing, subject }, 80).split('\n')
    expect(target).toBe(`Testing service: ${subject.name}`)
    expect(size).toBe('1 case, seed 7')
  })

  it('shows a failure that one can act on', () => {
    const { note: _note, ...report } = failing
    expect(rendered(reporters.pretty, report, 80)).toMatchInlineSnapshot(`
      "Testing service: http://127.0.0.1:8080  1 case, seed 7

      failed   service/retries/second-attempt-after-5-seconds  seconds between attempts 1 and 2: expected 5 to 7, got 11

      BROKEN      Attempt 2 is made 5 seconds after attempt 1.
                  RTY-002 interface.md#retries-of-a-delivery
        explains  1 failed
        case      service/retries/second-attempt-after-5-seconds: the second attempt
                  is made 5 seconds after the first
        check     seconds between attempts 1 and 2
        expected  5 to 7
        got       11
        received  POST https://127.0.0.1:8443/c1
                  webhook-id: evt_1
                  webhook-timestamp: 1700000011
                  {"id":"evt_1"}
        answer    500
        rerun     conformance run --base-url http://127.0.0.1:8080 --case service/retries/second-attempt-after-5-seconds --seed 7

      Cases         0 passed, 1 failed, 0 errored, 0 skipped
      Requirements  1 verified, 1 violated, 0 not verified
      Verdict       nonconformant  (1.0 s, seed 7)
      "
    `)
  })

  it('lets no target speak to the terminal or the build log', () => {
    const text = rendered(reporters.pretty, samples.hostile)
    expect(text).not.toMatch(unsafe)
    expect(text).not.toMatch(/^\s*(::|##\[)/m)
    expect(text).toContain('\\u001b[2J')
  })
})

describe('badge', () => {
  it('is a picture, or the data of one', () => {
    expect(rendered(badges.svg, samples.hostile)).toMatch(/^<svg [^]*>nonconformant 1\/2, known failures out of date</)
    expect(JSON.parse(rendered(badges.json, clean))).toMatchObject({
      schemaVersion: 1,
      label: 'conformance',
      message: 'partial 1/2',
    })
    expect(hostileText).toContain('<')
    expect(rendered(badges.svg, samples.hostile)).not.toContain('<script')
  })
})
