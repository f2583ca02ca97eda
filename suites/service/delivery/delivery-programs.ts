// DLV-005 to DLV-023, RTY-001 to RTY-014, RPL-001 to RPL-006, WHK-009, WHK-014, WHK-015, POL-001 to POL-010, STR-003 to STR-007,
// SCOPE-001 to SCOPE-010: events and their deliveries under random scripts.
//
// Two projects, webhooks with overlapping filters by several keys, events one by one and more than a page at once, texts of every
// script, every kind of answer and failure, answers that are held back, replays in any state, deletes, silences of months, pages
// and streams in between. The world model computes the expectations.

import { eventTypes, type EventType, type RequirementId } from '../../../spec/index.js'
import { serviceCase, type ServiceCase } from '../../../harness/authoring.js'
import {
  anyDeliveryScript,
  everyEvent,
  inboxes,
  projects,
  type AnswerPlan,
  type DeliveryScript,
  type RaiseStep,
} from '../shared/delivery-script.js'
import { runDeliveryScript } from '../shared/delivery-world.js'

const ok: AnswerPlan = { kind: 'answer', status: 200, body: '', headers: {}, form: 'plain' }

const raise: RaiseStep = { do: 'raise', project: 0, type: 'message.received', inbox: 0, times: 1, words: {} }
const wholeOrg = { project: 0, inbox: undefined }
const ofInbox = { project: 0, inbox: 0 }

/** More events and deliveries than two of the largest pages, and than 256 of anything. */
const manyScript: DeliveryScript = {
  hooks: [{ ...everyEvent, answer: ok }],
  steps: [
    { ...raise, project: 1, times: 3 },
    { ...raise, inbox: 1, times: 12 },
    { ...raise, times: 260 },
    ...[undefined, 51, 100, 101].map((limit) => ({ do: 'records', hook: 0, limit }) as const),
    ...[wholeOrg, ofInbox].flatMap((reader) => [
      ...[undefined, 50, 99, 100].map((limit) => ({ do: 'page', reader, after: undefined, limit }) as const),
      ...[undefined, 100, 1_000].map((limit) => ({ do: 'page', reader, after: 13, limit }) as const),
      ...[50, 100].map((limit) => ({ do: 'walk', reader, limit, meanwhile: raise }) as const),
    ]),
    { do: 'stream', inbox: undefined, after: 5, auth: 'header' },
    { do: 'stream', inbox: 0, after: 5, auth: 'token' },
    { do: 'replay', hook: 0, which: 0 },
    { do: 'delete', hook: 0 },
  ],
}

/** Longer than a snippet, in characters and in bytes. */
const longText = '<p>größe 件名</p>'.repeat(60)

/** More retries of one moment than a scheduler takes up, or a delete stops, at a time; and some of every type. */
const pendingScript: DeliveryScript = {
  hooks: [
    { ...everyEvent, answer: { ...ok, status: 503, body: longText } },
    { ...everyEvent, answer: { ...ok, status: 503 } },
  ],
  steps: [
    { ...raise, times: 110, isBounded: false },
    ...(Object.keys(eventTypes) as EventType[]).map((type) => ({ ...raise, type })),
    { do: 'delete', hook: 1 },
    { do: 'pass-due', hook: 0 },
    { do: 'answer', hook: 0, answer: { ...ok, body: longText } },
    { do: 'pass-due', hook: 0 },
    { do: 'replay', hook: 0, which: 0 },
  ],
}

const hour = 3_600_000
/** Months of both summer and winter. */
const longScript: DeliveryScript = {
  hooks: [{ ...everyEvent, answer: ok }],
  steps: [
    ...[1_000, hour, 24 * hour, 10 * 24 * hour, 60 * 24 * hour, 90 * 24 * hour, 90 * 24 * hour].flatMap(
      (ms) => [raise, raise, { do: 'pass', ms }] as const,
    ),
    { do: 'page', reader: wholeOrg, after: 4, limit: undefined },
    { do: 'stream', inbox: undefined, after: 0, auth: 'header' },
    ...[0, 7, 10].map((which) => ({ do: 'replay', hook: 0, which }) as const),
  ],
}

/** An endpoint takes longer than a worker of the sender may reserve a delivery, and less than the time to answer. */
const heldScript: DeliveryScript = {
  hooks: [
    { ...everyEvent, answer: ok },
    { ...everyEvent, types: ['message.received'], answer: ok },
  ],
  steps: [
    raise,
    { do: 'hold', hook: 0, meanwhile: ['raise', 'replay-first'], forMs: 7_000, answer: ok },
    { do: 'pass', ms: 360_000 },
  ],
}

const twoProjects = { projects, inboxes }

/** What every script needs, and what must hold before one is of use. */
const ofScripts = {
  dependsOn: ['DLV-016'],
  level: 'must',
  needs: ['sink', 'direct-sink', 'clock', 'own-data', 'inboxes', 'projects'],
} as const

/** Defines a case that performs one script. */
function scriptCase({
  script,
  ...definition
}: Pick<ServiceCase, 'title' | 'formerly'> & {
  readonly id: `service/${string}/${string}`
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  readonly script: DeliveryScript
}): ServiceCase {
  return serviceCase({
    ...definition,
    ...ofScripts,
    async run({ openSandbox, require, unique }) {
      await runDeliveryScript(await openSandbox(twoProjects), script, { require, unique })
    },
  })
}

export const deliveryPrograms = [
  scriptCase({
    id: 'service/model/sends-once-what-is-answered-late',
    requirements: ['DLV-006', 'DLV-007', 'EVT-014', 'RPL-002', 'RTY-011'],
    title: 'deliveries and a replay that are answered after seven seconds are sent once each',
    script: heldScript,
  }),

  scriptCase({
    id: 'service/model/retries-and-stops-many-at-once',
    formerly: [
      'service/deletion/stops-many-that-wait',
      'service/deletion/stops-retries-of-every-type',
      'service/equivalence/retries-and-replays-are-no-new-events',
    ],
    requirements: ['WHK-015', 'EVT-016', 'POL-002', 'RTY-002', 'RTY-003', 'RTY-011', 'RTY-012', 'EVT-014', 'DLV-019'],
    title: 'of 119 deliveries that wait all are retried, and none after the delete of its webhook',
    script: pendingScript,
  }),

  scriptCase({
    id: 'service/model/keeps-order-and-times-over-months',
    formerly: ['service/polling/keeps-its-order-over-time', 'service/replay/sends-an-old-event-again'],
    requirements: ['POL-010', 'EVT-002', 'POL-001', 'POL-003', 'POL-009', 'RPL-001', 'RPL-002', 'STR-005'],
    title: 'events seconds to months apart keep their times and their order, and can be replayed',
    script: longScript,
  }),

  serviceCase({
    id: 'service/model/delivers-through-any-failure',
    formerly: [
      'service/model/holds-for-any-program',
      'service/polling/pages-alike-behind-a-cursor-for-a-key-of-the-org',
      'service/polling/pages-alike-behind-a-cursor-for-a-key-of-one-inbox',
    ],
    requirements: [
      'DLV-001',
      'DLV-013',
      'DLV-014',
      'DLV-015',
      'DLV-017',
      'DLV-018',
      'DLV-019',
      'DLV-020',
      'DLV-023',
      'EVT-002',
      'EVT-014',
      'EVT-016',
      'POL-001',
      'POL-002',
      'POL-003',
      'POL-004',
      'POL-005',
      'POL-006',
      'POL-008',
      'POL-009',
      'POL-010',
      'RPL-001',
      'RPL-002',
      'RPL-004',
      'RTY-009',
      'RTY-010',
      'RTY-011',
      'RTY-014',
      'SCOPE-001',
      'SCOPE-002',
      'SCOPE-003',
      'SCOPE-005',
      'SCOPE-007',
      'SCOPE-010',
      'STR-005',
      'WHK-009',
      'WHK-014',
      'WHK-015',
      'WHK-016',
    ],
    ...ofScripts,
    title: 'events of two projects reach every webhook, stream and page, whatever endpoints answer',
    timeoutMs: 240_000,
    async run({ openSandbox, property, unique }) {
      await property(
        anyDeliveryScript,
        async (script, require) => runDeliveryScript(await openSandbox(twoProjects), script, { require, unique }),
        { runs: 8, atOnce: 4, examples: [manyScript] },
      )
    },
  }),
]
