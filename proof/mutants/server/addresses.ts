import { type Policy, defaultPolicy } from '../../../reference/server/index.js'
import { defineMutant, type Mutant } from '../define.js'

const { isRefusedAddress, judgedHost, shownDelivery } = defaultPolicy

/** The table of addresses with a hole. */
function allowing(pattern: RegExp): Partial<Policy> {
  return { isRefusedAddress: (address) => !pattern.test(address) && isRefusedAddress(address) }
}

/** The host as a careless pattern reads it, without parsing the url. */
function hostByPattern(url: string): string | null {
  return (
    /^https:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]+)/i.exec(url)?.[1] ?? (URL.canParse(url) ? new URL(url).hostname : null)
  )
}

/** Judges the answers of one family alone, where there are any, and tries those of the other first. */
function judgingOnly(isJudged: (address: string) => boolean): Partial<Policy> {
  return {
    judgeAnswers: (addresses, isRefused) => {
      const own = addresses.filter(isJudged)
      const refused = (own.length === 0 ? addresses : own).find(isRefused)
      return refused === undefined
        ? { kind: 'connect', addresses: [...addresses.filter((address) => !isJudged(address)), ...own] }
        : { kind: 'blocked', address: refused }
    },
  }
}

/** Answers that are not judged are never refused, alone or among others. */
function judgingAnswers(isJudged: (address: string) => boolean): Partial<Policy> {
  return {
    judgeAnswers: (addresses, isRefused) => {
      const refused = addresses.find((address) => isJudged(address) && isRefused(address))
      return refused === undefined ? { kind: 'connect', addresses } : { kind: 'blocked', address: refused }
    },
  }
}

/** Deviations in what urls and addresses are refused. */
export const addressesMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/allows-private-10',
    title: '10.0.0.0/8 is missing from the table',
    breaks: ['NET-001'],
    policy: allowing(/^10\./),
  }),
  defineMutant({
    id: 'server/allows-172-above-16',
    title: 'only 172.16.0.0/16 is refused of 172.16.0.0/12',
    breaks: ['NET-001'],
    policy: allowing(/^172\.(1[7-9]|2\d|3[01])\./),
  }),
  defineMutant({
    id: 'server/allows-private-192',
    title: '192.168.0.0/16 is missing from the table',
    breaks: ['NET-001'],
    policy: allowing(/^192\.168\./),
  }),
  defineMutant({
    id: 'server/refuses-only-127-0-0-1',
    title: 'of loopback only 127.0.0.1 is refused',
    breaks: ['NET-002'],
    policy: allowing(/^127\.(?!0\.0\.1$)/),
  }),
  defineMutant({
    id: 'server/allows-link-local',
    title: 'the metadata address is reachable: link-local is missing',
    breaks: ['NET-003'],
    policy: allowing(/^169\.254\./),
  }),
  defineMutant({
    id: 'server/allows-shared-space',
    title: 'shared address space is missing',
    breaks: ['NET-003'],
    policy: allowing(/^100\./),
  }),
  defineMutant({
    id: 'server/allows-unspecified',
    title: '0.0.0.0/8 is missing',
    breaks: ['NET-003'],
    policy: allowing(/^0\./),
  }),
  defineMutant({
    id: 'server/allows-multicast',
    title: 'multicast and reserved space are missing',
    breaks: ['NET-003'],
    policy: allowing(/^2[2-5]\d\./),
  }),
  defineMutant({
    id: 'server/allows-documentation',
    title: 'documentation and benchmarking blocks are missing',
    breaks: ['NET-003'],
    policy: allowing(/^(192\.0\.2|198\.51\.100|203\.0\.113|198\.1[89])\./),
  }),
  defineMutant({
    id: 'server/knows-no-ipv6',
    title: 'only IPv4 addresses are checked',
    breaks: ['NET-005'],
    policy: allowing(/:/),
  }),
  defineMutant({
    id: 'server/knows-no-unique-local',
    title: 'unique-local IPv6 is missing',
    breaks: ['NET-005'],
    policy: allowing(/^f[cd]/i),
  }),
  defineMutant({
    id: 'server/checks-link-local-as-64',
    title: 'fe80::/10 is treated as fe80::/64',
    breaks: ['NET-005'],
    policy: allowing(/^fe[89ab](?!0::|0:0:0:0)/i),
  }),
  defineMutant({
    id: 'server/does-not-unwrap-mapped',
    title: 'IPv4-mapped addresses are not looked into',
    breaks: ['NET-005'],
    policy: allowing(/^::ffff:/i),
  }),
  defineMutant({
    id: 'server/does-not-unwrap-nat64',
    title: 'the NAT64 prefix is not looked into',
    breaks: ['NET-005'],
    policy: allowing(/^64:ff9b::/i),
  }),
  defineMutant({
    id: 'server/does-not-unwrap-6to4',
    title: '6to4 addresses are not looked into',
    breaks: ['NET-005'],
    policy: allowing(/^2002:/i),
  }),
  defineMutant({
    id: 'server/reads-the-host-by-pattern',
    title: 'the host is cut out of the url by a pattern, not by a parser',
    breaks: ['NET-004'],
    policy: {
      judgedHost: hostByPattern,
      isLocalName: () => false,
    },
  }),
  defineMutant({
    id: 'server/parses-hosts-of-loopback-alone',
    title: 'parses the host for loopback, but compares its text with the private blocks',
    breaks: ['NET-004'],
    policy: {
      judgedHost: (url) => {
        const host = judgedHost(url)
        return host?.startsWith('127.') === true ? host : hostByPattern(url)
      },
    },
  }),
  defineMutant({
    id: 'server/misses-decimal-hosts',
    title: 'hosts that are one number are treated as names',
    breaks: ['NET-004'],
    policy: {
      judgedHost: (url) =>
        /^https:\/\/(0x[0-9a-f]+|\d+)[/:?#]?/i.test(url) && !/^https:\/\/\d+\./.test(url)
          ? 'name.example'
          : judgedHost(url),
    },
  }),
  defineMutant({
    id: 'server/refuses-all-of-172',
    title: 'refuses 172.0.0.0/8 instead of 172.16.0.0/12',
    breaks: ['NET-006'],
    policy: {
      isRefusedAddress: (address) => address.startsWith('172.') || isRefusedAddress(address),
    },
  }),
  defineMutant({
    id: 'server/refuses-all-of-192',
    title: '192.0.0.0/8 is refused',
    breaks: ['NET-006'],
    policy: {
      isRefusedAddress: (address) => address.startsWith('192.') || isRefusedAddress(address),
    },
  }),
  defineMutant({
    id: 'server/refuses-all-ipv6',
    title: 'every IPv6 address is refused',
    breaks: ['NET-006'],
    policy: {
      isRefusedAddress: (address) => address.includes(':') || isRefusedAddress(address),
    },
  }),
  defineMutant({
    id: 'server/accepts-localhost',
    title: 'localhost and its like are accepted as names',
    breaks: ['NET-014'],
    policy: {
      isLocalName: () => false,
    },
  }),
  defineMutant({
    id: 'server/checks-the-first-answer-only',
    title: 'of several answers only the first is checked, and the others are fallen back on',
    breaks: ['NET-012'],
    policy: {
      judgeAnswers: (addresses, isRefused) => {
        const [first = ''] = addresses
        return isRefused(first)
          ? { kind: 'blocked', address: first }
          : { kind: 'connect', addresses: addresses.toReversed() }
      },
    },
  }),
  defineMutant({
    id: 'server/checks-the-first-answer-and-falls-back-in-order',
    title: 'only the first of several addresses is checked, and the next is a fallback',
    breaks: ['NET-012'],
    policy: {
      judgeAnswers: (addresses, isRefused) => {
        const [first = ''] = addresses
        return isRefused(first) ? { kind: 'blocked', address: first } : { kind: 'connect', addresses }
      },
    },
  }),
  defineMutant({
    id: 'server/blocks-only-if-all-are-private',
    title: 'connects to any of the resolved addresses unless all are private',
    breaks: ['NET-012'],
    policy: {
      judgeAnswers: (addresses, isRefused) =>
        addresses.every(isRefused) ? { kind: 'blocked', address: addresses[0] ?? '' } : { kind: 'connect', addresses },
    },
  }),
  defineMutant({
    id: 'server/retries-a-blocked-delivery',
    title: 'a blocked delivery stays pending and is tried again',
    breaks: ['NET-008', 'NET-009'],
    policy: {
      blockedStatus: 'pending',
    },
  }),
  defineMutant({
    id: 'server/does-not-say-why-it-blocked',
    title: 'a blocked delivery fails without a reason',
    breaks: ['NET-008'],
    policy: {
      shownDelivery: (...shown) => ({ ...shownDelivery(...shown), error: 'delivery_failed' }),
    },
  }),
  defineMutant({
    id: 'server/misses-nat64-between-its-ends',
    title: 'of the NAT64 forms of 10.0.0.0/8 only those that begin and end it are refused',
    breaks: ['NET-005'],
    policy: {
      isRefusedAddress: (address) =>
        !/^64:ff9b::a(?!00:)(?!ff:)[0-9a-f]{2}:/.test(address) && defaultPolicy.isRefusedAddress(address),
    },
  }),
  defineMutant({
    id: 'server/judges-ipv4-answers-only',
    title: 'if a name has an IPv4 address, its IPv6 addresses are connected to without a check',
    breaks: ['NET-012'],
    policy: judgingOnly((address) => !address.includes(':')),
  }),
  defineMutant({
    id: 'server/judges-ipv6-answers-only',
    title: 'if a name has an IPv6 address, its IPv4 addresses are connected to without a check',
    breaks: ['NET-012'],
    policy: judgingOnly((address) => address.includes(':')),
  }),
  defineMutant({
    id: 'server/judges-no-answer-of-ipv6',
    title: 'IPv6 addresses of a name are connected to without a check, except mapped ones',
    breaks: ['NET-012'],
    policy: judgingAnswers((address) => !address.includes(':') || address.toLowerCase().startsWith('::ffff:')),
  }),
  defineMutant({
    id: 'server/judges-no-mapped-answer',
    title: 'an IPv4 address that DNS returns in IPv6 form is not checked',
    breaks: ['NET-012'],
    policy: judgingAnswers((address) => !address.toLowerCase().startsWith('::ffff:')),
  }),
  defineMutant({
    id: 'server/judges-the-first-sixteen-answers',
    title: 'of more than sixteen answers of DNS only the first sixteen are checked',
    breaks: ['NET-012'],
    policy: {
      judgeAnswers: (addresses, isRefused) => {
        const refused = addresses.slice(0, 16).find(isRefused)
        return refused === undefined ? { kind: 'connect', addresses } : { kind: 'blocked', address: refused }
      },
    },
  }),
]
