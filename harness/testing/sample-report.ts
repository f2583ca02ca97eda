import type { CaseResult, ExchangeRecord, Report } from '../result.js'

/** Text as a hostile target would send it: markup, workflow commands, terminal sequences, what breaks tables and directives. */
export const hostileText = [
  '</script><script>alert(1)</script><img src=x onerror=alert(1)>',
  '::error::owned',
  '##[set-env name=PATH]owned',
  '\u001b[2J\u001b]0;owned\u0007\u009b31m\r\u0000\ud800\u202e',
  '| a | b | `code` [link](javascript:alert(1)) <!-- ]]> %0A::set-output name=x::y',
  '# SKIP not really',
  'not ok 99 - forged',
  'Bail out! owned',
  '  ---\n  message: forged\n  ...',
].join('\n')

const startedAt = '2026-01-02T03:04:05.678Z'

/** A delivery attempt as the sink saw it, this many seconds after the first. */
export function attempt(seconds: number, status = 500): ExchangeRecord {
  return {
    direction: 'received',
    kind: 'delivery',
    request: {
      method: 'POST',
      url: 'https://127.0.0.1:8443/c1',
      headers: { 'webhook-id': 'evt_1', 'webhook-timestamp': String(1_700_000_000 + seconds) },
      body: '{"id":"evt_1"}',
    },
    response: { status, headers: {} },
    started_at: startedAt,
    duration_ms: 0,
  }
}

/** A request to the target whose answer holds {@link hostileText}. */
export const hostileExchange: ExchangeRecord = {
  direction: 'sent',
  kind: 'api',
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:8080/v1/webhooks',
    headers: { authorization: 'Bearer [redacted]', 'content-type': 'application/json' },
    body: '{"url":"https://hooks.example/it\'s"}',
  },
  response: { status: 200, headers: { 'x-hostile': hostileText }, body: hostileText },
  started_at: startedAt,
  duration_ms: 12,
}

function result(id: string, rest: Pick<CaseResult, 'status'> & Partial<CaseResult>): CaseResult {
  const suite = id.slice(0, id.lastIndexOf('/'))
  return {
    id,
    suite,
    title: `${hostileText} of ${id}`,
    level: 'must',
    requirements: ['WHK-001'],
    known_failure: false,
    duration_ms: 1_234,
    ...rest,
  }
}

/** One case of each outcome, a known failure, and every text hostile. */
export function sampleCases(): CaseResult[] {
  const failure: Pick<CaseResult, 'status'> & Partial<CaseResult> = {
    status: 'failed',
    message: `expected 201 got ${hostileText}`,
    violates: ['WHK-001'],
    checks: [
      {
        kind: 'compared' as const,
        what: `status ${hostileText}`,
        expected: '201',
        got: hostileText,
        requirement: 'WHK-001',
      },
    ],
    counterexample: { body: hostileText },
    reproduce: 'conformance run --base-url http://127.0.0.1:8080 --case service/webhooks/creates-with-201 --seed 7',
    exchanges: [hostileExchange, attempt(0), attempt(9)],
  }
  return [
    result('service/webhooks/passes', { status: 'passed', measurements: { answer_time_ms: { p50: 3 } } }),
    result('service/webhooks/fails', failure),
    result('service/webhooks/fails-as-known', {
      ...failure,
      known_failure: true,
      known_failure_reason: `repaired soon ${hostileText}; issue 12`,
    }),
    result('service/retries/errs', {
      status: 'errored',
      reason: `no answer ${hostileText}`,
      message: `no answer ${hostileText}`,
      exchanges: [hostileExchange],
    }),
    result('service/retries/skips', { status: 'skipped', reason: `needs a sink ${hostileText}` }),
  ]
}

/** A whole report of these cases. */
export function sampleReport(change: Partial<Report> = {}): Report {
  const cases = change.cases ?? sampleCases()
  const count = (status: CaseResult['status']) => cases.filter((result) => result.status === status).length
  return {
    schema: 'conformance-report/1',
    tool: { name: 'webhook-conformance', version: '1.2.3' },
    subject: { kind: 'service', name: `http://127.0.0.1:8080 ${hostileText}` },
    started_at: startedAt,
    duration_ms: 6_543.4,
    seed: 7,
    verdict: 'nonconformant',
    summary: {
      cases: {
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        errored: count('errored'),
        known_failures: cases.filter((result) => result.known_failure).length,
      },
      requirements: { total: 2, verified: 1, violated: 1, unverified: 0 },
    },
    cases,
    requirements: [
      {
        id: 'WHK-001',
        level: 'must',
        text: '`POST /v1/webhooks` answers `201`.',
        source: '#create-a-webhook',
        status: 'violated',
        cases: cases.map((result) => result.id),
      },
      { id: 'WHK-002', level: 'must', text: hostileText, source: '#create-a-webhook', status: 'verified', cases: [] },
    ],
    known_failure_problems: [
      { case: 'service/webhooks/passes', problem: 'passed', message: `known failure x passed ${hostileText}` },
    ],
    note: `the run ended early ${hostileText}`,
    ...change,
  }
}
