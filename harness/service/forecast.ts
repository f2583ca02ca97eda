import { eventTypes, type EventType } from '../../spec/index.js'
import { missingCapability } from '../missing-capability.js'
import { isLoopback } from '../loopback.js'
import type { CoverageForecast } from '../forecast.js'
import { capabilities } from './control.js'
import type { ServiceNeed } from './needs.js'
import { findMissing, type CapabilitySources } from './capability-sources.js'
import type { ServiceTarget } from './target.js'

const control = 'a control interface (--control-url, --control-key)'

/** What the sources are once something is added to the configuration. */
const additions: Readonly<Record<string, (sources: CapabilitySources) => CapabilitySources>> = {
  from: (sources) => ({ ...sources, target: { ...sources.target, from: 'probe@verified.example' } }),
  inboxes: (sources) => ({
    ...sources,
    target: {
      ...sources.target,
      inboxes: ['1', '2'].map((id) => ({ id, address: `${id}@in.example`, apiKey: id })),
    },
  }),
  'receiver.public_url': (sources) => ({ ...sources, hasSink: true }),
  'triggers for every event type': (sources) => {
    const types = Object.keys(eventTypes) as EventType[]
    const all = Object.fromEntries(types.map((type) => [type, { kind: 'command', command: 'true' } as const]))
    return { ...sources, target: { ...sources.target, triggers: { ...all, ...sources.target.triggers } } }
  },
  second_api_key: (sources) => ({ ...sources, target: { ...sources.target, secondApiKey: 'key' } }),
  // A control interface that answers for names does so for those of its own.
  'dns.zone': (sources) => ({
    ...sources,
    hasNameServer: true,
    hasNamedSink: sources.control?.offered.has('dns') === true ? sources.hasNamedSink : sources.hasSink,
  }),
  '--retry-depth 7': (sources) => ({ ...sources, target: { ...sources.target, retryDepth: 7 } }),
}

/** Returns the missing capabilities, and what could be added. */
export function forecastService(sources: CapabilitySources): CoverageForecast {
  const open = Object.keys(additions).filter((name) => !isThere(name, sources))
  return {
    additions: open,
    ...(sources.control === undefined ? { instead: control } : {}),
    findMissingWith: (added) => {
      const withControl = added.includes(control) ? whole(sources) : sources
      // In the order of the table: a sink precedes the zone that leads to it.
      const names = Object.keys(additions).filter((name) => added.includes(name))
      const then = names.reduce((before, name) => additions[name]?.(before) ?? before, withControl)
      return (need) => missingCapability(findMissing(need as ServiceNeed, then))
    },
  }
}

function isThere(name: string, { target, hasSink, hasNameServer }: CapabilitySources): boolean {
  if (name === 'from') return target.from !== undefined
  if (name === 'inboxes') return target.inboxes.filter((inbox) => inbox.apiKey !== undefined).length >= 2
  if (name === 'receiver.public_url') return hasSink
  if (name === 'second_api_key') return target.secondApiKey !== undefined
  if (name === 'dns.zone') return hasNameServer
  if (name === '--retry-depth 7') return target.retryDepth === 7
  return Object.keys(eventTypes).every((type) => target.triggers[type as EventType] !== undefined)
}

/** The sources with a control interface that offers everything. */
function whole(sources: CapabilitySources): CapabilitySources {
  const everything = { offered: new Set(capabilities) }
  return {
    ...sources,
    control: everything,
    hasCanary: true,
    hasNameServer: true,
    hasSink: true,
    hasDirectSink: true,
    hasNamedSink: true,
  }
}

/**
 * Returns the capabilities that the configuration alone suggests: a control interface counts as offering everything, and an org in use as
 * having some events.
 */
export function plannedSources(target: ServiceTarget): CapabilitySources {
  const { receiver, dns } = target
  const { hostname } = new URL(target.baseUrl)
  const isHere = hostname === 'localhost' || isLoopback(hostname)
  const hasControl = target.control !== undefined
  const hasSink = receiver !== undefined || (hasControl && isHere)
  const isInZone =
    receiver !== undefined && dns !== undefined && new URL(receiver.publicUrl).hostname.endsWith(`.${dns.zone}`)
  return {
    target,
    control: hasControl ? { offered: new Set(capabilities) } : undefined,
    hasCanary: hasControl && hasSink && isHere,
    hasNameServer: dns !== undefined,
    hasSink,
    hasDirectSink: hasSink,
    hasNamedSink: hasSink && (hasControl || isInZone),
    org: undefined,
    past: { hasEvents: true, hasEmails: true, busyWebhook: 'whk_of_the_org' },
  }
}
