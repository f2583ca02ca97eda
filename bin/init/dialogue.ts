// The questions of `conformance init` on a terminal besides the base URL: the most useful additions first, each tried at once.
import {
  Api,
  checkService,
  Evidence,
  HttpClient,
  OrgCursor,
  refuseRefusedKey,
  type Access,
} from '../../harness/service-calls.js'
import { verifiable, bareTarget, bestAdditions, plannedSources, forecastService } from '../../harness/planning.js'
import { normalizeBaseUrl } from '../../harness/parsing.js'
import type { ServiceTarget, Trigger } from '../../harness/service/index.js'
import { serviceCases } from '../../suites/service/index.js'
import { addSecrets, printError } from '../cli/output.js'
import { hostAndPort, UsageError } from '../cli/usage.js'
import type { Questioner } from './ask.js'
import {
  probeFrom,
  probeInbox,
  probeMs,
  probeReceiver,
  probeTrigger,
  raisedWithinMs,
  type ProbeResult,
} from './probes.js'
import { urlToCommit } from './urls.js'

/** The answers of the dialogue, in the form of the configuration. */
export interface ServiceFacts {
  readonly from?: string
  /** Two inboxes, each with the variable that holds its key. */
  readonly inboxes?: readonly { readonly id: string; readonly address: string; readonly variable: string }[]
  readonly receiver?: { readonly listen: string; readonly publicUrl: string }
  /** Addresses that make the service raise an event type. */
  readonly triggers?: Readonly<Partial<Record<DeliveryType, string>>>
}

const deliveryTypes = [
  'message.delivered',
  'message.deferred',
  'message.bounced',
  'message.complained',
  'message.failed',
] as const
export type DeliveryType = (typeof deliveryTypes)[number]

/** The questions of the dialogue, by the names of the additions. */
const names = ['from', 'inboxes', 'receiver.public_url', 'triggers for every event type'] as const
type Name = (typeof names)[number]

/** The service as it is known so far; undefined where its key is not: nothing is tried out then. */
interface Tried {
  readonly api: Api
  readonly cursor: OrgCursor
}

interface Talk {
  readonly terminal: Questioner
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly tried: Tried | undefined
}

export interface DialogueOptions {
  readonly terminal: Questioner
  readonly baseUrl: string
  readonly access: Access
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Prompts for the most useful additions, until none is left or none would verify more. An empty line skips one. */
export async function promptForAdditions({
  terminal,
  baseUrl,
  access,
  environment,
}: DialogueOptions): Promise<ServiceFacts> {
  const apiKey = environment['SERVICE_API_KEY']
  const http = new HttpClient({ access })
  try {
    const tried = await tryService(http, { baseUrl, apiKey })
    const talk: Talk = { terminal, environment, tried }
    let facts: ServiceFacts = {}
    const left = new Set<Name>(names)
    for (;;) {
      const { next, count } = bestNext(targetOf(baseUrl, facts), left)
      if (next === undefined) return facts
      left.delete(next)
      printNote(`${next}: +${count} ${count === 1 ? 'requirement' : 'requirements'}; press Enter to leave it out`)
      facts = { ...facts, ...(await questions[next](talk, facts)) }
    }
  } finally {
    await http.close()
  }
}

/** Checks that the base URL and the key lead to a service, and prints how much the two verify. */
async function tryService(
  http: HttpClient,
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string | undefined },
): Promise<Tried | undefined> {
  const count = verifiedOf(targetOf(baseUrl, {})).size
  if (apiKey === undefined || apiKey === '') {
    printNote('SERVICE_API_KEY is not set here: your answers are written down, but not tried out')
    return undefined
  }
  addSecrets([apiKey])
  const api = new Api({
    http,
    baseUrl: normalizeBaseUrl(baseUrl),
    key: apiKey,
    evidence: new Evidence(),
    signal: new AbortController().signal,
    observe: () => {},
  })
  try {
    await checkService(api)
    await refuseRefusedKey(api)
  } catch (error) {
    printError(error instanceof Error ? error.message : String(error))
    printNote('your answers are written down, but not tried out')
    return undefined
  }
  printNote(`the key works: ${count} requirements could be verified with it alone`)
  return { api, cursor: new OrgCursor(api) }
}

function targetOf(baseUrl: string, { from, inboxes, receiver, triggers }: ServiceFacts): ServiceTarget {
  const trigger = ([type, address]: [string, string]): [string, Trigger] => [type, { kind: 'to', address }]
  return {
    ...bareTarget(baseUrl),
    apiKey: 'key',
    from,
    inboxes: (inboxes ?? []).map(({ id, address, variable }) => ({ id, address, apiKey: variable })),
    receiver: receiver && { ...hostAndPort('receiver.listen', receiver.listen), publicUrl: receiver.publicUrl },
    triggers: Object.fromEntries(Object.entries(triggers ?? {}).map(trigger)),
  }
}

function verifiedOf(target: ServiceTarget): ReadonlySet<string> {
  return verifiable('service', serviceCases, forecastService(plannedSources(target)).findMissingWith([]))
}

/** Returns the next question: with the remaining ones it verifies most. */
function bestNext(
  target: ServiceTarget,
  left: ReadonlySet<Name>,
): { readonly next: Name | undefined; readonly count: number } {
  const { additions, findMissingWith } = forecastService(plannedSources(target))
  const open = { additions: additions.filter((addition) => left.has(addition as Name)), findMissingWith }
  const [best] = bestAdditions('service', serviceCases, { forecast: open })
  return best === undefined || best.requirements === 0
    ? { next: undefined, count: 0 }
    : { next: best.name as Name, count: best.requirements }
}

const questions: Readonly<Record<Name, (talk: Talk, facts: ServiceFacts) => Promise<ServiceFacts>>> = {
  from: (talk) =>
    untilItWorks(talk, {
      ask: async () => {
        const from = await line(talk, 'An address that may send?')
        return from === '' ? undefined : { from }
      },
      probe: ({ api }, { from }) => probeFrom(api, from),
    }),

  async inboxes(talk) {
    const found: NonNullable<ServiceFacts['inboxes']>[number][] = []
    for (const number of [1, 2]) {
      const { inbox } = await untilItWorks(talk, {
        ask: async () => {
          const id = await line(talk, `Id of inbox ${number}?`, '', (text) => matching(text, /^(ibx_.+)?$/, 'ibx_…'))
          if (id === '') return undefined
          const address = await line(talk, 'Its address?', '', (text) => matching(text, /^\S+@\S+$/, 'an address'))
          const variable = await line(talk, 'Variable that holds its key?', `KEY_INBOX_${number}`, variableName)
          return { inbox: { id, address, variable } }
        },
        probe: async ({ api }, { inbox: { id, address, variable } }) => {
          const apiKey = talk.environment[variable]
          if (apiKey === undefined || apiKey === '')
            return { works: true, text: `${variable} is not set here: not tried out` }
          addSecrets([apiKey])
          return probeInbox(api, { id, address, apiKey })
        },
      })
      if (inbox === undefined) return {}
      found.push(inbox)
    }
    return { inboxes: found }
  },

  'receiver.public_url': (talk) =>
    untilItWorks(talk, {
      ask: async () => {
        const url = (text: string) => (text === '' ? '' : urlToCommit('receiver.public_url', text))
        const publicUrl = await line(talk, 'Public URL that leads to a port of this machine?', '', url)
        if (publicUrl === '') return undefined
        const address = (text: string) => (hostAndPort('receiver.listen', text), text)
        return {
          receiver: { publicUrl, listen: await line(talk, 'To which address and port?', '127.0.0.1:8443', address) },
        }
      },
      trying: `trying the public URL, up to ${probeMs / 1000} s`,
      probe: ({ api }, { receiver: { listen, publicUrl } }) =>
        probeReceiver(api, { ...hostAndPort('receiver.listen', listen), publicUrl }),
    }),

  async 'triggers for every event type'(talk, { from }) {
    const triggers: Partial<Record<DeliveryType, string>> = {}
    for (const type of deliveryTypes) {
      const { address } = await untilItWorks(talk, {
        ask: async () => {
          const to = await line(talk, `Address an email to which raises ${type}?`)
          return to === '' ? undefined : { address: to }
        },
        trying: `trying the trigger, up to ${raisedWithinMs / 1000} s`,
        probe: ({ api, cursor }, { address: to }) =>
          probeTrigger(api, { type, trigger: { kind: 'to', address: to }, from, cursor }),
      })
      if (address !== undefined) triggers[type] = address
    }
    return Object.keys(triggers).length === 0 ? {} : { triggers }
  },
}

/** Repeats the question until the answer works, the user keeps it anyway, or the answer is empty. */
async function untilItWorks<Answer extends object>(
  talk: Talk,
  {
    ask,
    trying,
    probe,
  }: {
    readonly ask: () => Promise<Answer | undefined>
    /** The text during a slow probe. */
    readonly trying?: string
    readonly probe: (tried: Tried, answer: Answer) => Promise<ProbeResult>
  },
): Promise<Partial<Answer>> {
  for (;;) {
    const answer = await ask()
    if (answer === undefined) return {}
    if (talk.tried === undefined) return answer
    if (trying !== undefined) printNote(trying)
    const { works, text } = await probe(talk.tried, answer)
    if (works) {
      printNote(text)
      return answer
    }
    printError(text)
    if ((await line(talk, 'Keep it anyway (y, n)?', 'n')).toLowerCase().startsWith('y')) return answer
  }
}

function line(
  { terminal }: Talk,
  text: string,
  usual = '',
  read: (answer: string) => string = (answer) => answer,
): Promise<string> {
  return terminal.ask({ text, usual, read })
}

function matching(text: string, form: RegExp, expected: string): string {
  if (!form.test(text)) throw new UsageError(`${text}: expected ${expected}`)
  return text
}

function variableName(text: string): string {
  return matching(text, /^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of a variable')
}

function printNote(text: string): void {
  printError(text)
}
