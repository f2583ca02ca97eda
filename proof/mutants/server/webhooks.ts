import { randomBytes } from 'node:crypto'
import { defaultPolicy } from '../../../reference/server/index.js'
import { defineMutant, type Mutant } from '../define.js'

const { createdWebhook, listedWebhook } = defaultPolicy

/** Deviations in making, listing and deleting webhooks. */
export const webhooksMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/sends-deferrals-to-who-asks-for-deliveries',
    title: 'a webhook for message.delivered gets message.deferred too',
    breaks: ['WHK-009'],
    policy: {
      matchesTypes: (filter, type) =>
        defaultPolicy.matchesTypes(filter, type) ||
        (type === 'message.deferred' && filter.includes('message.delivered')),
    },
  }),
  defineMutant({
    id: 'server/creates-with-200',
    title: 'a create answers 200',
    breaks: ['WHK-001'],
    policy: { webhookCreatedStatus: 200 },
  }),
  defineMutant({
    id: 'server/creates-without-inbox-id',
    title: 'the create response has no inbox_id',
    breaks: ['WHK-002', 'WHK-010'],
    policy: {
      createdWebhook: (webhook) => ({ ...createdWebhook(webhook), inbox_id: undefined }),
    },
  }),
  defineMutant({
    id: 'server/names-webhooks-otherwise',
    title: 'webhook ids have another prefix',
    breaks: ['WHK-003'],
    policy: {
      webhookId: (random) => `wh_${random}`,
    },
  }),
  defineMutant({
    id: 'server/makes-secrets-without-prefix',
    title: 'secrets have no whsec_',
    breaks: ['WHK-004'],
    policy: {
      newSecret: () => defaultPolicy.newSecret().slice(6),
    },
  }),
  defineMutant({
    id: 'server/makes-hexadecimal-secrets',
    title: 'secrets are hexadecimal and signed as such',
    breaks: ['WHK-004', 'SIG-004'],
    policy: {
      newSecret: () => `secret_${Buffer.from(defaultPolicy.newSecret().slice(6), 'base64').toString('hex')}`,
    },
  }),
  defineMutant({
    id: 'server/shares-one-secret',
    title: 'every webhook has the same secret',
    breaks: ['WHK-018'],
    policy: {
      newSecret: () => `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    },
  }),
  defineMutant({
    id: 'server/gives-back-another-url',
    title: 'the create response normalises the url away',
    breaks: ['WHK-005'],
    policy: {
      createdWebhook: (webhook) => ({ ...createdWebhook(webhook), url: new URL(webhook.url).origin }),
    },
  }),
  defineMutant({
    id: 'server/lists-secrets',
    title: 'the list shows secrets',
    breaks: ['WHK-012', 'WHK-013'],
    policy: {
      listedWebhook: (webhook) => ({ ...listedWebhook(webhook), secret: webhook.secret }),
    },
  }),
  defineMutant({
    id: 'server/shows-the-secret-on-delete',
    title: 'the answer to a delete shows the secret',
    breaks: ['WHK-013'],
    policy: {
      deleteAnswer: (webhook) => ({ status: 200, body: { id: webhook.id, secret: webhook.secret } }),
    },
  }),
  defineMutant({
    id: 'server/lists-nothing',
    title: 'the list of webhooks is always empty',
    breaks: ['WHK-011'],
    policy: {
      webhookListEnvelope: () => ({ data: [] }),
    },
  }),
  defineMutant({
    id: 'server/delete-answers-500',
    title: 'a delete works and answers 500',
    breaks: ['WHK-017'],
    policy: {
      deleteAnswer: () => ({ status: 500, body: { code: 'x', message: 'x', fix: 'x' } }),
    },
  }),
  defineMutant({
    id: 'server/missing-filter-means-nothing',
    title: 'a missing or empty filter selects nothing',
    breaks: ['WHK-006', 'WHK-007'],
    policy: {
      matchesTypes: (filter, type) => filter.includes('*') || filter.includes(type),
    },
  }),
  defineMutant({
    id: 'server/star-is-a-name',
    title: '["*"] is treated as the name of a type',
    breaks: ['WHK-008'],
    policy: {
      matchesTypes: (filter, type) => filter.length === 0 || filter.includes(type),
    },
  }),
  defineMutant({
    id: 'server/filter-is-ignored',
    title: 'the filter is stored and not used',
    breaks: ['WHK-009'],
    policy: { matchesTypes: () => true },
  }),
  defineMutant({
    id: 'server/filter-is-a-prefix',
    title: 'a type is selected by its first word',
    breaks: ['WHK-009'],
    policy: {
      matchesTypes: (filter, type) =>
        defaultPolicy.matchesTypes(filter, type) || filter.some((name) => name.split('.')[0] === type.split('.')[0]),
    },
  }),
  defineMutant({
    id: 'server/filter-knows-one-type',
    title: 'only the first type of a filter is used',
    breaks: ['WHK-009'],
    policy: {
      matchesTypes: (filter, type) => filter.length === 0 || filter[0] === '*' || filter[0] === type,
    },
  }),
  defineMutant({
    id: 'server/list-selects-nothing',
    title: 'the list of types is compared with the type as a whole',
    breaks: ['WHK-009'],
    policy: {
      matchesTypes: (filter, type) => filter.length === 0 || filter.includes('*') || JSON.stringify(filter) === type,
    },
  }),
  defineMutant({
    id: 'server/makes-url-safe-secrets',
    title: 'secrets are base64url, and signed as such',
    breaks: ['WHK-004'],
    policy: {
      newSecret: () => `whsec_${randomBytes(33).toString('base64url')}`,
    },
  }),
  defineMutant({
    id: 'server/filter-knows-five-types',
    title: 'only the first five types of a filter are used',
    breaks: ['WHK-009'],
    policy: {
      matchesTypes: (filter, type) => defaultPolicy.matchesTypes(filter.slice(0, 5), type),
    },
  }),
  defineMutant({
    id: 'server/lists-webhooks-of-the-org-alone',
    title: 'webhooks of one inbox are not listed',
    breaks: ['WHK-011'],
    policy: {
      webhookListEnvelope: (items) => ({
        data: items.filter((webhook) => (webhook as { inbox_id: unknown }).inbox_id === null),
      }),
    },
  }),
  defineMutant({
    id: 'server/forgets-what-was-pending',
    title: 'lists only ended deliveries of a deleted webhook',
    breaks: ['WHK-016'],
    policy: {
      deliveryListEnvelope: (items) => ({
        data: items.filter((delivery) => {
          const { status, attempt, next_attempt_at: next } = delivery as Record<string, unknown>
          return status !== 'pending' || next !== null || attempt === 0
        }),
      }),
    },
  }),
  defineMutant({
    id: 'server/accepts-http',
    title: 'http:// urls are accepted',
    breaks: ['WHK-019'],
    policy: { urlSchemes: ['https:', 'http:'] },
  }),
  defineMutant({
    id: 'server/accepts-any-scheme',
    title: 'any scheme is accepted',
    breaks: ['WHK-019'],
    policy: {
      urlSchemes: [
        'https:',
        'http:',
        'ftp:',
        'ws:',
        'wss:',
        'file:',
        'gopher:',
        'data:',
        'javascript:',
        'mailto:',
        'blob:',
      ],
    },
  }),
  defineMutant({
    id: 'server/makes-secrets-that-do-not-decode',
    title: 'the secret after whsec_ has a length that base64 cannot have',
    breaks: ['WHK-004'],
    policy: {
      newSecret: () => `whsec_${randomBytes(24).toString('base64')}A`,
    },
  }),
  defineMutant({
    id: 'server/lists-webhooks-without-their-limits',
    title: 'every webhook is listed as one of the whole org for all events',
    breaks: ['WHK-011'],
    policy: { listedWebhook: ({ id, url }) => ({ id, url, event_types: [], inbox_id: null }) },
  }),
]
