import type { RequirementId } from '../../spec/index.js'
import { show } from '../check.js'
import type { ExchangeRecord } from '../result.js'
import type { RuleRecorder } from '../service/rules.js'
import { bodyOf } from '../wire/exchange.js'
import type { TrafficLine } from './record.js'
import { keepNewest } from './keep-newest.js'

/** One thing seen that must not be. */
export interface Finding {
  readonly requirement: RequirementId
  readonly what: string
  readonly expected: string
  readonly got: string
  readonly evidence: readonly ExchangeRecord[]
}

/** The findings of some traffic. */
export interface JudgedTraffic {
  /** How often a check of each requirement failed. */
  readonly counts: ReadonlyMap<RequirementId, number>
  readonly findings: ReadonlyMap<RequirementId, readonly Finding[]>
  /** What could not be judged, and why. */
  readonly notes: ReadonlySet<string>
}

/** Findings kept for each requirement; more of the same add nothing. */
const maxFindings = 5
/** Faults that are known by what they are about; the oldest is forgotten first. */
const maxFaults = 20_000

/** Counts the checks of each requirement, and collects the faults. A fault is reported once, for the nearest sentence. */
export class Ledger implements JudgedTraffic {
  readonly counts = new Map<RequirementId, number>()
  readonly findings = new Map<RequirementId, Finding[]>()
  readonly notes = new Set<string>()
  readonly #faults = new Map<string, RequirementId>()

  checked(requirement: RequirementId): void {
    this.counts.set(requirement, (this.counts.get(requirement) ?? 0) + 1)
  }

  /** Records the findings of a rule for one line. */
  recorderFor(line: TrafficLine, fault?: (requirement: RequirementId) => string | undefined): RuleRecorder {
    return {
      checked: (requirement) => this.checked(requirement),
      violated: (requirement, found) => {
        const name = fault?.(requirement)
        this.violated(requirement, { ...found, ...(name === undefined ? {} : { fault: name }), lines: [line] })
      },
    }
  }

  /**
   * Reports a fault. `fault` names it, so that its consequences are not reported for other sentences too.
   */
  violated(
    requirement: RequirementId,
    {
      what,
      expected,
      got,
      fault,
      lines = [],
    }: {
      readonly what: string
      readonly expected: string
      readonly got: unknown
      readonly fault?: string
      readonly lines?: readonly TrafficLine[]
    },
  ): void {
    if (fault !== undefined) {
      const first = this.#faults.get(fault)
      if (first !== undefined && first !== requirement) return
      this.#faults.set(fault, requirement)
      keepNewest(this.#faults, maxFaults)
    }
    const list = this.findings.get(requirement) ?? []
    if (list.length < maxFindings)
      list.push({ requirement, what, expected, got: show(got), evidence: lines.map(evidenceOf) })
    this.findings.set(requirement, list)
  }
}

/** A line of a capture as a report shows it. */
function evidenceOf(line: TrafficLine): ExchangeRecord {
  const base = { started_at: line.at, duration_ms: 'duration_ms' in line ? line.duration_ms : 0 }
  if (line.kind === 'exchange' || line.kind === 'delivery') {
    const url = line.kind === 'exchange' ? `${line.service}${line.path}` : line.url
    return {
      ...base,
      direction: line.kind === 'exchange' ? 'sent' : 'received',
      kind: line.kind === 'exchange' ? 'api' : 'delivery',
      request: { method: line.method, url, ...messageOf(line.request) },
      ...(line.response === undefined
        ? {}
        : { response: { status: line.response.status, ...messageOf(line.response) } }),
      ...(line.note === undefined ? {} : { note: line.note }),
    }
  }
  const path = line.kind === 'stream' ? `${line.service}${line.path}` : `stream ${line.stream}`
  const body = line.kind === 'frame' && line.body !== undefined ? bodyOf(Buffer.from(line.body)) : {}
  return {
    ...base,
    direction: line.kind === 'frame' ? 'received' : 'sent',
    kind: 'stream',
    request: { method: 'GET', url: path, headers: {}, ...body },
    note: line.kind === 'frame' ? 'frame' : line.kind === 'stream' ? 'upgraded' : 'closed',
  }
}

function messageOf({
  headers,
  body,
  body_base64: base64,
}: {
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: string
  readonly body_base64?: string
}): { headers: Record<string, string>; body?: string; body_base64?: string } {
  const content = body === undefined ? (base64 === undefined ? {} : { body_base64: base64 }) : bodyOf(Buffer.from(body))
  return { headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])), ...content }
}
