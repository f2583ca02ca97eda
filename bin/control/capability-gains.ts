// What each capability of the control interface buys, in requirements: counted in the catalogue, and written into docs/control.md.
import { verifiable, bareTarget, capabilities, forecastService, type Capability } from '../../harness/planning.js'
import { serviceCases } from '../../suites/service/index.js'

/** A test deployment on this machine, of which nothing is known but its address, a key and what its control interface offers. */
const plain = { ...bareTarget('http://127.0.0.1'), apiKey: 'key' }

/** How many requirements of a service can be verified with a key and these capabilities. */
export function verifiableWith(offered: readonly Capability[]): number {
  const hasSink = offered.includes('egress')
  const sources = {
    target: plain,
    control: { offered: new Set(offered) },
    hasCanary: hasSink,
    hasNameServer: false,
    hasSink,
    hasDirectSink: hasSink,
    hasNamedSink: hasSink,
    org: undefined,
  }
  return verifiable('service', serviceCases, forecastService(sources).findMissingWith([])).size
}

/** The order in which they are best offered: each builds on those before it. */
export const buildingOrder = ['workspaces', 'events', 'egress', 'clock', 'dns', 'sending'] as const

/** One capability: the requirements that are verifiable with it and the ones before it, and without it alone. */
export interface CapabilityGain {
  readonly capability: Capability
  readonly withThose: number
  readonly more: number
  readonly withoutIt: number
}

/** What each buys, in {@link buildingOrder}. */
function worths(): readonly CapabilityGain[] {
  return buildingOrder.map((capability, index) => {
    const withThose = verifiableWith(buildingOrder.slice(0, index + 1))
    return {
      capability,
      withThose,
      more: withThose - verifiableWith(buildingOrder.slice(0, index)),
      withoutIt: verifiableWith(capabilities.filter((other) => other !== capability)),
    }
  })
}

const marks = { begin: '<!-- figures: begin -->', end: '<!-- figures: end -->' } as const
/** What one does for each, in a few words. */
const efforts: Readonly<Record<Capability, string>> = {
  workspaces: 'a fresh org with inboxes and keys, dropped again',
  events: 'raise an event as the service would',
  egress: 'let deliveries go to one address of the machine, and trust its certificate',
  clock: 'an offset to the time of a workspace, and its queue run up to there',
  dns: "answers of the service's resolver, by name",
  sending: 'pause and resume sending',
}

/** A page with the figures in their place, between the two marks. */
export function withFigures(page: string): string {
  const [before, , after] = page.split(/<!-- figures: (?:begin|end) -->/)
  const rows = worths().map(
    ({ capability, withThose, more, withoutIt }) =>
      `| \`${capability}\` | ${efforts[capability]} | ${withThose} | +${more} | ${withoutIt} |`,
  )
  const table = [
    '| capability | what to do | requirements with it and those above | more | all but this one |',
    '| --- | --- | ---: | ---: | ---: |',
    `| none | a base URL and a key | ${verifiableWith([])} | | |`,
    ...rows,
  ]
  return `${before}${marks.begin}\n\n${table.join('\n')}\n\n${marks.end}${after}`
}
