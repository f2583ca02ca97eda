// Checks that are applied to every delivery, frame and answer of the whole run, wherever it occurs. They are judged
// last, one case for each subject matter, so that a fault everywhere is one failure with one name.

import type { RequirementId } from '../../../spec/index.js'
import { serviceCase, type ServiceNeed } from '../../../harness/authoring.js'

interface AlwaysOnCase {
  readonly name: string
  /** `must` by default. */
  readonly level?: 'should'
  readonly title: string
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  readonly decides?: readonly RequirementId[]
  readonly needs?: readonly ServiceNeed[]
}

/** Without these nothing of the kind is ever seen. */
const ofDeliveries: readonly ServiceNeed[] = ['sink', 'event:message.received']

const subjects: readonly AlwaysOnCase[] = [
  {
    name: 'deliveries-are-signed',
    title: 'every delivery carries a v1 entry that equals the computed signature',
    requirements: ['SIG-004'],
    needs: ofDeliveries,
  },
  {
    name: 'deliveries-carry-their-headers',
    title: 'every delivery is a POST with the three headers, each once',
    requirements: ['DLV-003', 'DLV-001', 'SIG-002', 'SIG-003'],
    needs: ofDeliveries,
  },
  {
    name: 'webhook-id-is-the-event-id',
    title: 'every delivery has the event id in webhook-id',
    requirements: ['SIG-001'],
    needs: ofDeliveries,
  },
  {
    name: 'bodies-are-events',
    title: 'every delivery body is JSON with id, type, timestamp and data',
    requirements: ['DLV-002'],
    needs: ofDeliveries,
  },
  {
    name: 'events-have-an-id-and-a-time',
    title: 'every delivered or streamed event has a prefixed id and a valid timestamp',
    requirements: ['EVT-001', 'EVT-002'],
    decides: ['EVT-002'],
    needs: ['past-events'],
  },
  {
    name: 'frames-are-events',
    title: 'every frame is a text frame with one event',
    requirements: ['STR-002', 'STR-003'],
    needs: ['past-events'],
  },
  {
    name: 'data-has-its-fields',
    title: 'the data of every event has the fields of its kind',
    requirements: [
      'EVT-003',
      'EVT-004',
      'EVT-005',
      'EVT-006',
      'EVT-007',
      'EVT-008',
      'EVT-009',
      'EVT-010',
      'EVT-011',
      'EVT-015',
    ],
    needs: ['past-events'],
  },
  {
    name: 'created-webhooks-are-complete',
    title: 'every create response has the webhook fields',
    requirements: ['WHK-002', 'WHK-003', 'WHK-004', 'WHK-011'],
  },
  {
    name: 'secrets-are-told-once',
    title: 'only the answer to the create contains the secret of a webhook',
    requirements: ['WHK-013'],
  },
  {
    name: 'delivery-items-are-complete',
    title: 'every listed delivery has its fields',
    requirements: ['DLV-012', 'DLV-016', 'DLV-017', 'DLV-018', 'DLV-019', 'DLV-020', 'DLV-021', 'RPL-004'],
    needs: ofDeliveries,
  },
  {
    name: 'event-pages-are-complete',
    title: 'every page of events has data and next_after, and its events org_id and created_at',
    requirements: ['POL-007', 'POL-009'],
  },
  {
    name: 'email-answers-are-complete',
    title: 'every answer of the sending endpoints has its fields',
    requirements: ['SND-001', 'SND-004', 'SND-007', 'SND-008', 'SND-010', 'SND-011'],
  },
  {
    name: 'errors-are-complete',
    title: 'every error carries code, message and fix',
    requirements: ['ERR-001', 'ERR-005'],
  },
  {
    name: 'never-a-server-error',
    level: 'should',
    title: 'no request of the run gets a 5xx every time it is sent',
    requirements: ['ERR-003'],
  },
]

export const wholeRunChecks = subjects.map(({ name, level, title, requirements, decides, needs }) =>
  serviceCase({
    id: `service/always/${name}`,
    requirements,
    level: level ?? 'must',
    title,
    ...(needs === undefined ? {} : { needs }),
    ...(decides === undefined ? {} : { decides }),
    phase: 'last',
    async run({ check, skip, observed }) {
      const seen = requirements.map((requirement) => ({ requirement, ...observed(requirement) }))
      for (const { requirement, sightings } of seen)
        for (const { what, expected, got, caseId } of sightings)
          check.of(requirement).fail(`${what} (seen in ${caseId})`, expected, got)
      if (seen.every(({ count, sightings }) => count === 0 && sightings.length === 0))
        skip('no case that ran showed anything of this kind')
    },
  }),
)
