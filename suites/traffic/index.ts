// The requirements that passing traffic of a service may verify or violate. Traffic has no requests of its own: the judge (harness/observe)
// records observations for these requirements, and a case fails if one of them contradicts.
import type { TrafficCase } from '../../harness/authoring.js'

type Row = Pick<TrafficCase, 'title' | 'requirements'> & { readonly name: `${string}/${string}` }

const rows: readonly Row[] = [
  {
    name: 'webhooks/are-created-as-asked',
    title: 'creates answer 201 with the requested fields, for https:// urls only',
    requirements: ['WHK-001', 'WHK-002', 'WHK-003', 'WHK-004', 'WHK-005', 'WHK-010', 'WHK-019'],
  },
  { name: 'webhooks/have-a-secret-of-their-own', title: 'no two webhooks share a secret', requirements: ['WHK-018'] },
  {
    name: 'webhooks/tell-their-secret-once',
    title: 'only the create answer contains the secret',
    requirements: ['WHK-012', 'WHK-013'],
  },
  { name: 'webhooks/are-listed', title: 'listed webhooks have an id of their kind', requirements: ['WHK-011'] },
  {
    name: 'webhooks/fall-silent-when-deleted',
    title: 'after a delete there is neither a delivery nor a retry',
    requirements: ['WHK-014', 'WHK-015'],
  },
  { name: 'webhooks/are-gone-when-deleted', title: 'a deleted webhook is not listed', requirements: ['WHK-017'] },
  {
    name: 'webhooks/select-by-type',
    title: 'a webhook gets events of the types it is limited to',
    requirements: ['WHK-009'],
  },
  {
    name: 'webhooks/select-by-inbox',
    title: 'a webhook of one inbox gets events of this inbox, and none of the workspace',
    requirements: ['SCOPE-005', 'EVT-013'],
  },
  {
    name: 'keys/see-their-inbox-only',
    title: 'a key limited to one inbox is shown events of this inbox alone',
    requirements: ['SCOPE-001', 'SCOPE-002'],
  },
  {
    name: 'keys/make-webhooks-of-their-inbox',
    title: 'a key limited to one inbox always gets its own inbox as inbox_id',
    requirements: ['SCOPE-003', 'SCOPE-004'],
  },
  { name: 'keys/see-one-org', title: 'a key is shown events of one org', requirements: ['SCOPE-007'] },
  {
    name: 'events/have-their-ids-and-times',
    title: 'event ids begin with evt_, timestamps are UTC with milliseconds',
    requirements: ['EVT-001', 'EVT-002'],
  },
  {
    name: 'events/have-the-data-of-their-type',
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
      'EVT-018',
    ],
  },
  {
    name: 'events/are-the-same-everywhere',
    title: 'an event has the same type, time and data wherever it is seen',
    requirements: ['EVT-014', 'RTY-014'],
  },
  {
    name: 'polling/has-the-shape-of-a-page',
    title: 'pages are { data, next_after }, their events carry org_id and created_at',
    requirements: ['POL-007', 'POL-009'],
  },
  {
    name: 'polling/lists-oldest-first',
    title: 'events are listed in the order of their ids, from the oldest',
    requirements: ['POL-001', 'POL-002'],
  },
  {
    name: 'polling/keeps-to-the-limit',
    title: 'a page has no more events than limit, 50, or 100',
    requirements: ['POL-004', 'POL-005', 'POL-006'],
  },
  {
    name: 'polling/neither-loses-nor-repeats',
    title: 'pages follow each other without gap or repeat, also compared with other channels',
    requirements: ['POL-003', 'POL-008'],
  },
  {
    name: 'stream/sends-events',
    title: 'every frame is a text frame with one event, as a delivery carries it',
    requirements: ['STR-002', 'STR-003'],
  },
  { name: 'stream/starts-from-now', title: 'a stream without after sends no earlier event', requirements: ['STR-004'] },
  { name: 'stream/keeps-the-order', title: 'frames arrive in the order of the event ids', requirements: ['STR-007'] },
  {
    name: 'stream/neither-loses-nor-repeats',
    title: 'a stream sends every event between the first and the last, once',
    requirements: ['STR-005', 'STR-006'],
  },
  {
    name: 'deliveries/are-posted-events',
    title: 'a delivery is a POST of one event',
    requirements: ['DLV-001', 'DLV-002'],
  },
  {
    name: 'deliveries/carry-their-headers',
    title: 'a delivery has the three headers once, each in its form',
    requirements: ['DLV-003', 'SIG-001', 'SIG-002', 'SIG-003'],
  },
  {
    name: 'deliveries/are-signed',
    title: 'a v1 entry equals the signature made with the secret of the webhook',
    requirements: ['SIG-004'],
  },
  {
    name: 'deliveries/are-signed-at-their-time',
    title: 'a later attempt carries a later webhook-timestamp',
    requirements: ['SIG-005'],
  },
  {
    name: 'retries/keep-the-schedule',
    title: 'no attempt is made before its time, and there is no eighth',
    requirements: ['RTY-002', 'RTY-003', 'RTY-004', 'RTY-005', 'RTY-006', 'RTY-007', 'RTY-008'],
  },
  {
    name: 'retries/end-with-success',
    title: 'a delivery that was answered with a 2xx is not attempted again',
    requirements: ['DLV-006'],
  },
  { name: 'retries/follow-no-redirect', title: 'a redirect is not followed', requirements: ['DLV-009'] },
  {
    name: 'delivery-list/has-the-shape-of-deliveries',
    title: 'deliveries are listed newest first, with their fields',
    requirements: ['DLV-012', 'DLV-016', 'DLV-017', 'DLV-018', 'DLV-019', 'DLV-020', 'DLV-021', 'RPL-004'],
  },
  {
    name: 'delivery-list/keeps-to-the-limit',
    title: 'the list has no more deliveries than limit, 50, or 100',
    requirements: ['DLV-013', 'DLV-014', 'DLV-015'],
  },
  {
    name: 'delivery-list/agrees-with-the-attempts',
    title: 'the status and next attempt of a listed delivery agree with the seen answers',
    requirements: ['DLV-005', 'DLV-008', 'DLV-011', 'RTY-009', 'RTY-010', 'RPL-006'],
  },
  { name: 'replay/is-accepted', title: 'a replay that succeeds answers 202', requirements: ['RPL-001'] },
  {
    name: 'emails/have-their-answers',
    title: 'answers of the sending endpoints have their fields',
    requirements: ['SND-001', 'SND-004', 'SND-005', 'SND-007', 'SND-008', 'SND-010', 'SND-011'],
  },
  {
    name: 'emails/keep-their-idempotency-key',
    title: 'a send that repeats an Idempotency-Key returns the first result',
    requirements: ['IDM-001', 'IDM-005'],
  },
  {
    name: 'errors/are-complete',
    title: 'every error carries code, message and fix, and named codes keep their status',
    requirements: ['ERR-001', 'ERR-005', 'SND-006', 'SND-012'],
  },
]

/** Every case for traffic, in the order of the report. */
export const trafficCases: readonly TrafficCase[] = rows.map(({ name, title, requirements }) => ({
  id: `observe/${name}`,
  subject: 'traffic',
  level: 'must',
  title,
  requirements,
  needs: [],
}))
