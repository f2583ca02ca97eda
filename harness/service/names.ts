import { CaseErrored } from '../check.js'
import type { NameServer } from '../dns/name-server.js'
import { testZone } from '../sink/certificate.js'
import type { Evidence } from '../wire/evidence.js'
import type { Control } from './control.js'

/** A host name under the run's control. */
export interface ControlledName {
  readonly host: string
  /** Lookups are answered with the first list, then the second …; the last one stays. A new call replaces them all. */
  answer(...lists: readonly (readonly string[])[]): Promise<void>
}

/** The name `label` in the zone of the control interface where it answers lookups, else in that of the run's own name server. */
export function controlledName(
  label: string,
  {
    control,
    nameServer,
    evidence,
  }: {
    readonly control: Control | undefined
    readonly nameServer: NameServer | undefined
    readonly evidence: Evidence
  },
): ControlledName {
  if (control?.offered.has('dns') === true) {
    const host = `${label}.${testZone}`
    return { host, answer: (...lists) => control.setAnswers(host, lists, evidence) }
  }
  if (nameServer === undefined) throw new CaseErrored('a name needs the power dns')
  return nameServer.name(label)
}
