import { defaultPolicy } from '../../../reference/server/index.js'
import { defineMutant, type Mutant } from '../define.js'

/** Deviations in what a key or a webhook of one inbox reaches. */
export const scopingMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/polls-no-inbox-without-one',
    title: 'polls for an org key as for an inbox that does not exist',
    breaks: ['SCOPE-008'],
    policy: {
      pollInbox: (inbox) => inbox ?? 'none',
    },
  }),
  defineMutant({
    id: 'server/streams-no-inbox-without-one',
    title: 'streams for an org key as for an inbox that does not exist',
    breaks: ['SCOPE-009', 'STR-005', 'STR-008', 'AUTH-004', 'AUTH-005'],
    policy: { streamInbox: (inbox) => inbox ?? 'none' },
  }),
  defineMutant({
    id: 'server/sends-complaints-of-every-inbox',
    title: 'a webhook of one inbox gets the complaints of every inbox',
    breaks: ['SCOPE-005'],
    policy: {
      matchesInbox: (inboxId, event) =>
        defaultPolicy.matchesInbox(inboxId, event) || event.type === 'message.complained',
    },
  }),
  defineMutant({
    id: 'server/polls-every-inbox',
    title: 'a scoped key polls the whole org',
    breaks: ['SCOPE-001', 'SCOPE-010'],
    policy: {
      pollInbox: () => null,
    },
  }),
  defineMutant({
    id: 'server/streams-every-inbox',
    title: 'a scoped key streams the whole org',
    breaks: ['SCOPE-002', 'SCOPE-010'],
    policy: {
      streamInbox: () => null,
    },
  }),
  defineMutant({
    id: 'server/does-not-force-the-inbox',
    title: 'a scoped key makes webhooks of the whole org',
    breaks: ['SCOPE-003', 'SCOPE-004'],
    policy: {
      webhookInbox: (_key, requested) => requested,
    },
  }),
  defineMutant({
    id: 'server/refuses-another-inbox',
    title: "refuses another inbox for an inbox key instead of using the key's own",
    breaks: ['SCOPE-011'],
    policy: { foreignInbox: 'refuse' },
  }),
  defineMutant({
    id: 'server/shows-deliveries-of-other-inboxes',
    title: 'a scoped key is shown the deliveries of every webhook of its org',
    breaks: ['SCOPE-012'],
    policy: { keyReaches: (key, record) => key.orgId === record.orgId },
  }),
  defineMutant({
    id: 'server/trusts-the-asked-inbox',
    title: 'gives an inbox key any inbox it requests',
    breaks: ['SCOPE-004'],
    policy: {
      webhookInbox: (key, requested) => requested ?? key,
    },
  }),
  defineMutant({
    id: 'server/ignores-the-inbox-of-a-webhook',
    title: 'a webhook of one inbox gets every event',
    breaks: ['SCOPE-005', 'EVT-013', 'SCOPE-003'],
    policy: { matchesInbox: () => true },
  }),
  defineMutant({
    id: 'server/null-means-no-inbox',
    title: 'a webhook without an inbox gets only events without one',
    breaks: ['SCOPE-006'],
    policy: {
      matchesInbox: (inbox, event) => inbox === event.inboxId,
    },
  }),
  defineMutant({
    id: 'server/reaches-every-org-by-id',
    title: 'any key reaches any id',
    breaks: ['SCOPE-007'],
    policy: {
      keyReaches: (key, record) => key.inboxId === null || key.inboxId === record.inboxId,
    },
  }),
  defineMutant({
    id: 'server/checks-no-org-for-keys-of-an-inbox',
    title: 'a key of one inbox reaches every id',
    breaks: ['SCOPE-007'],
    policy: {
      keyReaches: (key, record) => key.inboxId !== null || key.orgId === record.orgId,
    },
  }),
]
