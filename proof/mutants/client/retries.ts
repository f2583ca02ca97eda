import { defaultClientPolicy } from '../../../reference/client/policy.js'
import { defineMutant, type Mutant } from '../define.js'
import { unshownPaths } from './support.js'

const { retriedStatus } = defaultClientPolicy

/** Which calls are made again, and when. */
export const retriesMutants: readonly Mutant<'client'>[] = [
  defineMutant({
    id: 'client/retries-three-times',
    title: 'maxRetries is always 3',
    breaks: ['CLI-007', 'CLI-008'],
    policy: { maxRetries: () => 3 },
  }),
  defineMutant({
    id: 'client/counts-attempts',
    title: 'maxRetries counts attempts',
    breaks: ['CLI-007', 'CLI-008'],
    policy: {
      attempts: (maxRetries) => Math.max(1, maxRetries),
    },
  }),
  defineMutant({
    id: 'client/retries-once-by-default',
    title: 'the default of maxRetries is 1',
    breaks: ['CLI-008', 'CLI-057'],
    policy: {
      maxRetries: (given) => given ?? 1,
    },
  }),
  defineMutant({
    id: 'client/does-not-retry-429',
    title: 'a 429 is thrown at once',
    breaks: ['CLI-013', 'CLI-018', 'CLI-019'],
    policy: {
      retriedStatus: (status) => status >= 500,
    },
  }),
  defineMutant({
    id: 'client/does-not-retry-5xx',
    title: 'a 5xx is thrown at once',
    breaks: ['CLI-014'],
    policy: { retriedStatus: (status) => status === 429 },
  }),
  defineMutant({
    id: 'client/retries-503-only',
    title: 'of 5xx only 503 is retried',
    breaks: ['CLI-014'],
    policy: {
      retriedStatus: (status) => status === 429 || status === 503,
    },
  }),
  defineMutant({
    id: 'client/retries-the-usual-5xx',
    title: 'of 5xx only 500, 502, 503 and 504 are retried',
    breaks: ['CLI-014'],
    policy: {
      retriedStatus: (status) => [429, 500, 502, 503, 504].includes(status),
    },
  }),
  defineMutant({
    id: 'client/does-not-retry-an-overload',
    title: 'a 509 and a 529 are thrown at once',
    breaks: ['CLI-014'],
    policy: {
      retriedStatus: (status) => retriedStatus(status, 'emails.send') && status !== 509 && status !== 529,
    },
  }),
  defineMutant({
    id: 'client/retries-what-has-a-key',
    title: 'without a key only a GET is retried',
    breaks: ['CLI-014'],
    policy: {
      retriedStatus: (status, name) =>
        retriedStatus(status, name) && !['emails.update', 'emails.cancel'].includes(name),
    },
  }),
  defineMutant({
    id: 'client/retries-4xx',
    title: 'every error is retried',
    breaks: ['CLI-020'],
    policy: { retriedStatus: (status) => status >= 400 },
  }),
  defineMutant({
    id: 'client/retries-409',
    title: 'a 409 is retried',
    breaks: ['CLI-020'],
    policy: {
      retriedStatus: (status, name) => status === 409 || retriedStatus(status, name),
    },
  }),
  defineMutant({
    id: 'client/does-not-retry-network-failures',
    title: 'a network failure is thrown at once',
    breaks: ['CLI-015'],
    policy: {
      retriedFailures: [],
    },
  }),
  defineMutant({
    id: 'client/waits-the-same',
    title: 'every wait is as long',
    breaks: ['CLI-016'],
    policy: { backoffFactor: 1 },
  }),
  defineMutant({
    id: 'client/waits-any-time-below-one-bound',
    title: 'every wait is anything below one bound',
    breaks: ['CLI-016'],
    policy: {
      backoffFactor: 1,
      jitter: 1,
    },
  }),
  defineMutant({
    id: 'client/waits-in-equal-steps',
    title: 'each wait is half a second longer than the one before, with jitter',
    breaks: ['CLI-016'],
    policy: {
      waitMs: ({ askedMs, attempt }) => askedMs ?? 500 * attempt * (0.8 + 0.2 * Math.random()),
    },
  }),
  defineMutant({
    id: 'client/waits-about-equal-steps',
    title: 'each wait is about 400 ms longer than the one before',
    breaks: ['CLI-016'],
    policy: {
      waitMs: ({ askedMs, attempt }) => askedMs ?? 400 * attempt * (0.75 + 0.5 * Math.random()),
    },
  }),
  defineMutant({
    id: 'client/waits-without-jitter',
    title: 'waits have no jitter',
    breaks: ['CLI-017'],
    policy: { jitter: 0 },
  }),
  defineMutant({
    id: 'client/ignores-retry-after',
    title: 'Retry-After is ignored',
    breaks: ['CLI-018', 'CLI-019'],
    policy: { askedWaitMs: () => undefined },
  }),
  defineMutant({
    id: 'client/takes-retry-after-for-milliseconds',
    title: 'Retry-After is treated as milliseconds',
    breaks: ['CLI-018'],
    policy: {
      askedWaitMs: (header) => (header === null ? undefined : Number(header)),
    },
  }),
  defineMutant({
    id: 'client/reads-no-date-in-retry-after',
    title: 'Retry-After with a date is ignored',
    breaks: ['CLI-019'],
    policy: {
      askedWaitMs: (header) => (/^\d+$/.test(header ?? '') ? Number(header) * 1_000 : undefined),
    },
  }),
  defineMutant({
    id: 'client/cuts-retry-after',
    title: 'Retry-After is cut at a second',
    breaks: ['CLI-018', 'CLI-019'],
    policy: {
      waitMs: ({ askedMs, backoffMs }) => Math.min(askedMs ?? backoffMs, 1_000),
    },
  }),
  defineMutant({
    id: 'client/cuts-retry-after-at-its-own-longest-wait',
    title: 'Retry-After is cut at 8 seconds',
    breaks: ['CLI-018'],
    policy: {
      waitMs: ({ askedMs, backoffMs }) => Math.min(askedMs ?? backoffMs, 8_000),
    },
  }),
  defineMutant({
    id: 'client/repeats-creations',
    title: 'a create is retried after a server error',
    breaks: ['CLI-027'],
    policy: { retriedCreation: () => true },
  }),
  defineMutant({
    id: 'client/repeats-creations-like-sends',
    title: 'a create is treated as a read',
    breaks: ['CLI-027'],
    policy: { creatingOperations: [] },
  }),
  defineMutant({
    id: 'client/retries-408-and-425',
    title: 'request time-out and too early are retried too',
    breaks: ['CLI-020'],
    policy: {
      retriedStatus: (status, name) => status === 408 || status === 425 || retriedStatus(status, name),
    },
  }),
  defineMutant({
    id: 'client/retries-404-of-a-get',
    title: 'retries a 404 of an email',
    breaks: ['CLI-020'],
    policy: {
      retriedStatus: (status, name) => (status === 404 && name === 'emails.get') || retriedStatus(status, name),
    },
  }),
  defineMutant({
    id: 'client/retries-redirects',
    title: 'a 3xx is retried',
    breaks: ['CLI-020'],
    policy: {
      retriedStatus: (status, name) => (status >= 300 && status < 400) || retriedStatus(status, name),
    },
  }),
  defineMutant({
    id: 'client/retries-the-listed-5xx',
    title: 'only 5xx codes that standards define are retried',
    breaks: ['CLI-014'],
    policy: {
      retriedStatus: (status) => status === 429 || (status >= 500 && status <= 511) || status === 520,
    },
  }),
  defineMutant({
    id: 'client/does-not-retry-a-list-of-deliveries',
    title: 'webhooks.deliveries is made once',
    breaks: ['CLI-013', 'CLI-014'],
    policy: {
      retriedStatus: (status, name) => name !== 'webhooks.deliveries' && retriedStatus(status, name),
    },
  }),
  defineMutant({
    id: 'client/does-not-retry-429-of-a-patch',
    title: 'a 429 of emails.update is thrown at once',
    breaks: ['CLI-013'],
    policy: {
      retriedStatus: (status, name) => !(status === 429 && name === 'emails.update') && retriedStatus(status, name),
    },
  }),
  defineMutant({
    id: 'client/does-not-retry-deletes',
    title: 'webhooks.delete is made once',
    breaks: ['CLI-059'],
    policy: {
      retriedStatus: (status, name) => name !== 'webhooks.delete' && retriedStatus(status, name),
    },
  }),
  defineMutant({
    id: 'client/repeats-replays',
    title: 'a replay is retried after a server error',
    breaks: ['CLI-027'],
    policy: { creatingOperations: ['webhooks.create', 'inboxes.create', 'domains.create', 'keys.create'] },
  }),
  defineMutant({
    id: 'client/repeats-creations-of-webhooks',
    title: 'webhooks.create is retried after a server error',
    breaks: ['CLI-061'],
    policy: { creatingOperations: ['webhooks.replay', 'inboxes.create', 'domains.create', 'keys.create'] },
  }),
  defineMutant({
    id: 'client/never-retries',
    title: 'nothing is retried',
    breaks: ['CLI-013', 'CLI-014', 'CLI-015'],
    policy: { attempts: () => 1 },
  }),
  defineMutant({
    id: 'client/repeats-creations-of-keys',
    title: 'keys.create is retried after a server error',
    breaks: ['CLI-061'],
    policy: {
      unshownPaths,
      creatingOperations: ['webhooks.create', 'webhooks.replay', 'inboxes.create', 'domains.create'],
    },
  }),
  defineMutant({
    id: 'client/repeats-creations-of-inboxes-and-domains',
    title: 'inboxes.create and domains.create are retried after a server error',
    breaks: ['CLI-061'],
    policy: { unshownPaths, creatingOperations: ['webhooks.create', 'webhooks.replay', 'keys.create'] },
  }),
  defineMutant({
    id: 'client/retries-documented-methods-only',
    title: 'makes one attempt of methods other than emails',
    breaks: ['CLI-060', 'CLI-059', 'CLI-013', 'CLI-014'],
    policy: {
      unshownPaths,
      retriedStatus: (status, name) => name.startsWith('emails.') && retriedStatus(status, name),
    },
  }),
  defineMutant({
    id: 'client/retries-conflicts-of-other-methods',
    title: 'retries a 409 of methods other than emails',
    breaks: ['CLI-060', 'CLI-059', 'CLI-020'],
    policy: {
      unshownPaths,
      retriedStatus: (status, name) => (status === 409 && !name.startsWith('emails.')) || retriedStatus(status, name),
      retriedCreation: (status) => status === 429 || status === 409,
    },
  }),
]
