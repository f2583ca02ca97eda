import { CaseErrored, HttpClient } from '../../harness/service-calls.js'
import type { Capability } from '../../harness/planning.js'
import { normalizeBaseUrl } from '../../harness/parsing.js'
import { accessOf } from '../cli/access.js'
import { watchSignals } from '../cli/interrupt.js'
import { addSecrets, print, printError } from '../cli/output.js'
import { readSettings, type Settings } from '../cli/settings.js'
import { exitCodes, rootUrl, UsageError } from '../cli/usage.js'
import { CheckedControl } from '../control/checked-control.js'
import { checkControl, type Finding } from '../control/check.js'
import { withControlCommand } from '../control/command.js'
import { openPlace } from '../control/delivery-place.js'
import type { Question } from '../control/question.js'
import { buildingOrder, verifiableWith } from '../control/capability-gains.js'

/** `conformance control check`: an implementation of the control interface, call by call. Resolves to the exit code. */
export async function checkControlInterface(
  url: string | undefined,
  flags: Readonly<Record<string, unknown>>,
): Promise<number> {
  const settings = readSettings('control check', flags, { isService: true })
  const isUrlGiven = url !== undefined
  if (isUrlGiven && settings.source('control-command') === 'flag')
    throw new UsageError('control check: a URL and --control-command name two control interfaces: give one of them')
  if (isUrlGiven) return checkAt(controlAt(url, settings), settings)
  return withControlCommand(settings, (bridged) =>
    checkAt(bridged ?? controlAt(settings.text('control-url'), settings), settings),
  )
}

interface ControlAt {
  readonly url: string
  readonly key: string
}

function controlAt(url: string | undefined, settings: Settings): ControlAt {
  if (url === undefined)
    throw new UsageError('control check needs the control URL: conformance control check <url> --control-key <key>')
  const key = settings.text('control-key')
  if (key === undefined) throw new UsageError('control check needs --control-key (or CONFORMANCE_CONTROL_KEY)')
  return { url: rootUrl('control check', url), key }
}

async function checkAt({ url, key }: ControlAt, settings: Settings): Promise<number> {
  const given = settings.text('base-url')
  const baseUrl = given === undefined ? undefined : normalizeBaseUrl(rootUrl('--base-url', given))
  const http = new HttpClient({ access: accessOf(settings, url) })
  const interrupt = watchSignals()
  const checked = new CheckedControl({ http, url, key, baseUrl, onSecrets: addSecrets, signal: interrupt.signal })
  addSecrets([key])
  const counts = { right: 0, wrong: 0, 'not run': 0 }
  try {
    checked.place = await openPlace(baseUrl)
    const notify = (question: Question, finding: Finding) => {
      counts[finding.outcome]++
      for (const line of linesOf(question, finding)) print(line)
    }
    await checkControl(checked, notify, interrupt.signal)
  } catch (error) {
    if (!(error instanceof CaseErrored)) throw error
    throw new CaseErrored(`control check: ${error.message}`)
  } finally {
    interrupt.end()
    await checked.place?.close()
    await http.close()
  }
  if (interrupt.signal.aborted) {
    printError('control check: interrupted')
    return exitCodes.noVerdict
  }
  for (const line of summaryOf(checked, counts)) print(line)
  return counts.wrong > 0 ? exitCodes.nonconformant : exitCodes.conformant
}

const labels: Readonly<Record<Finding['outcome'], string>> = {
  right: 'right    ',
  wrong: 'WRONG    ',
  'not run': 'not run  ',
}

function linesOf({ call, expects }: Question, finding: Finding): string[] {
  const line = `${labels[finding.outcome]}  ${call}: ${expects}`
  if (finding.outcome === 'right') return [line]
  if (finding.outcome === 'not run') return [line, `             ${finding.why}`]
  return [line, `             expected  ${finding.expected}`, `             got       ${finding.got}`]
}

function summaryOf(
  { offered, name }: CheckedControl,
  { right, wrong, 'not run': rest }: Readonly<Record<Finding['outcome'], number>>,
): string[] {
  const now = verifiableWith([...offered])
  return [
    '',
    `${right} right, ${wrong} wrong, ${rest} not run${name === '' ? '' : `; ${name}`}`,
    `Offered: ${offered.size === 0 ? 'nothing' : [...offered].join(', ')}. With a key and these, ${now} requirements of a service can be verified.`,
    ...additionsTo(offered),
  ]
}

/** Describes each capability that is not offered with the gain on top of the ones before it: many gain nothing alone. */
function additionsTo(offered: ReadonlySet<Capability>): string[] {
  const missing = buildingOrder.filter((capability) => !offered.has(capability))
  return missing.map((capability, index) => {
    const before = [...offered, ...missing.slice(0, index)]
    return `  ${index === 0 ? 'add' : 'then'} ${capability}: +${verifiableWith([...before, capability]) - verifiableWith(before)} requirements`
  })
}
