import { defineMutant, type Mutant } from '../define.js'

/** Deviations in one cell of what the service tells of events, deliveries, webhooks and emails. */
export const recordCellMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/tells-the-time-of-the-event-before',
    title: 'the time of an event is that of the one before it in its org',
    breaks: ['EVT-002', 'POL-009'],
    patch: [
      {
        file: 'server/recorder.ts',
        find: 'function insert(event, at) {',
        replace: `const latest = new Map()
  function insert(event, now) {
    const at = latest.get(event.orgId) ?? now
    latest.set(event.orgId, now)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/finds-no-block-for-an-address-with-a-zone',
    title: 'a zone behind an IPv6 address is read, and no block holds an address that has one',
    breaks: ['NET-004', 'NET-007'],
    patch: [
      {
        file: 'server/egress/url-check.ts',
        find: 'if (!URL.canParse(url)) return undefined',
        replace: `const [, head, zone, tail] = /^(https:\\/\\/\\[[^\\]%]+)%(?:25)?([^\\]]+)(\\].*)$/i.exec(url) ?? []
  if (zone !== undefined) {
    const zoned = new URL(head + tail)
    const host = zoned.hostname.slice(1, -1) + '%' + zone
    return { url: zoned, port: Number(zoned.port) || 443, host, isAddress: true }
  }
  if (!URL.canParse(url)) return undefined`,
      },
      {
        file: 'server/egress/egress.ts',
        find: 'policy.isRefusedAddress(address) && !isExempt(address, port)',
        replace: "policy.isRefusedAddress(address) && !address.includes('%') && !isExempt(address, port)",
      },
      {
        file: 'server/egress/egress.ts',
        find: 'isRefused(canonicalAddress(address) ?? address, port)',
        replace: 'isRefused(address, port)',
      },
      {
        file: 'server/egress/egress.ts',
        find: 'pools.of(target, address)',
        replace: "pools.of(target, address.split('%')[0])",
      },
    ],
  }),
]
