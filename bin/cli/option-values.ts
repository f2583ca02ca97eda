// What the values of options can be.
import type { ReportKind, SubjectKind } from '../../spec/index.js'
import type { ReporterName } from '../../harness/reporters/index.js'
import type { HeaderFamily } from '../../harness/signing.js'

export const levels = ['must', 'should'] as const
export const profiles = ['interface', 'standard-webhooks'] as const
export const textFormats = ['text', 'json'] as const
export const vectorFormats = ['json', 'ndjson'] as const
/** What `conformance init` writes a configuration for. */
export const initKinds = ['service', 'receiver', 'verifier', 'client', 'sender', 'traffic'] as const
/** CI systems `conformance init` writes a workflow for. */
export const ciKinds = ['github', 'gitlab', 'kubernetes', 'none'] as const
/** Engines `conformance init` writes a load on a receiver for. */
export const loadEngines = ['artillery'] as const
/** The commands that can have a page. */
export const pageKinds = ['run', 'receiver', 'verifier', 'client', 'sender'] as const
export const servables = ['server', 'receiver', 'sender'] as const
export const headerFamilies: readonly HeaderFamily[] = ['webhook', 'svix']
export const subjectKinds: readonly SubjectKind[] = ['service', 'receiver', 'verifier', 'client', 'sender']
/** The subjects of cases: targets, and observed traffic. */
export const reportKinds: readonly ReportKind[] = [...subjectKinds, 'traffic']
/** The formats of a report. */
export const reporterNames: readonly ReporterName[] = [
  'pretty',
  'json',
  'junit',
  'ctrf',
  'html',
  'interface',
  'markdown',
  'github',
  'tap',
  'har',
  'attestation',
]
