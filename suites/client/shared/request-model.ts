// CLI-037 to CLI-047, CLI-059, CLI-060, CLI-066: the request of each method, as a function of its arguments.

import type { RequirementId } from '../../../spec/index.js'
import { asText, memberOf, percentDecoded, type ReceivedRequest } from '../../../harness/authoring.js'
import type { Method } from './methods.js'
import { describeCall, hasOpenRequests, type Fault, type ObservedCall, type Script } from './script.js'
import { findTimeFaults } from './times.js'

/** The request of a call. */
interface ExpectedRequest {
  readonly requirement: RequirementId
  readonly verb: string
  /** Parts of the path below `/v1`, decoded. */
  readonly path: readonly unknown[]
  /** Parameters as they were given; a cursor that is undefined must be left out. */
  readonly query?: Readonly<Record<string, unknown>>
  /** The emails of the body. */
  readonly emails?: readonly unknown[]
  /** The object with the `scheduled_at` that the body has. */
  readonly scheduled?: unknown
  readonly webhook?: unknown
}

type Arguments = readonly unknown[]

const requests: Readonly<Record<string, (args: Arguments) => ExpectedRequest>> = {
  'emails.send': ([email]) => ({ requirement: 'CLI-037', verb: 'POST', path: ['emails'], emails: [email] }),
  'emails.batch': ([emails]) => ({
    requirement: 'CLI-038',
    verb: 'POST',
    path: ['emails', 'batch'],
    emails: emails as readonly unknown[],
  }),
  'emails.get': ([id]) => ({ requirement: 'CLI-039', verb: 'GET', path: ['emails', id] }),
  'emails.list': ([query]) => ({
    requirement: 'CLI-040',
    verb: 'GET',
    path: ['emails'],
    query: { limit: memberOf(query, 'limit'), cursor: memberOf(query, 'cursor') },
  }),
  'emails.update': ([id, scheduled]) => ({ requirement: 'CLI-041', verb: 'PATCH', path: ['emails', id], scheduled }),
  'emails.cancel': ([id]) => ({ requirement: 'CLI-042', verb: 'POST', path: ['emails', id, 'cancel'] }),
  'webhooks.deliveries': ([id]) => ({ requirement: 'CLI-046', verb: 'GET', path: ['webhooks', id, 'deliveries'] }),
  'webhooks.replay': ([id, delivery]) => ({
    requirement: 'CLI-047',
    verb: 'POST',
    path: ['webhooks', id, 'deliveries', delivery, 'replay'],
  }),
  'webhooks.create': ([webhook]) => ({ requirement: 'CLI-059', verb: 'POST', path: ['webhooks'], webhook }),
  'webhooks.list': () => ({ requirement: 'CLI-059', verb: 'GET', path: ['webhooks'] }),
  'webhooks.delete': ([id]) => ({ requirement: 'CLI-059', verb: 'DELETE', path: ['webhooks', id] }),
  'events.list': ([query]) => ({
    requirement: 'CLI-059',
    verb: 'GET',
    path: ['events'],
    query: { limit: memberOf(query, 'limit'), after: memberOf(query, 'after') },
  }),
}

/** Arguments of methods without a shown path that their requests need not contain: the interface does not name them. */
const unnamedArguments: Readonly<Record<string, number>> = { 'messages.send': 0, 'threads.list': 0 }

/** Returns the faults in the method, path, query and body of a call; those of later attempts are found as differences to the first. */
export function findContentFaults(script: Script, call: ObservedCall): readonly Fault[] {
  const [exchange] = call.exchanges
  const { name, args } = script.method
  if (exchange === undefined) return []
  if (hasOpenRequests(script.method)) return call.result.kind === 'value' ? findMissingTexts(script, call) : []
  const expected = requests[name]?.(args)
  if (expected === undefined) return []
  const what = describeCall(script)
  return [
    ...findLineFaults(what, exchange.request, expected),
    ...findQueryFaults(what, exchange.request, { ...expected, query: { ...expected.query, ...script.more?.query } }),
    ...findBodyFaults(what, exchange.request, expected, call),
  ]
}

/** Texts of an absent argument where a program makes a text of it. */
const absentTexts: readonly string[] = ['undefined', 'null', 'None', 'nil']

/** Returns the requirement of the request of a method, if its path is shown. */
export function requirementsOfRequest({ name, args }: Method): readonly RequirementId[] {
  const requirement = requests[name]?.(args).requirement
  return requirement === undefined ? [] : [requirement]
}

/** Returns the parameters of a request for arguments that were not given. */
export function findAbsentArguments(what: string, { query }: ReceivedRequest, method: Method): readonly Fault[] {
  const blames: readonly RequirementId[] = [...requirementsOfRequest(method), 'CLI-040', 'CLI-028']
  return [...query]
    .filter(([, value]) => absentTexts.includes(value))
    .map(([parameter, got]) => ({
      blames,
      what: `query ${parameter} of ${what}`,
      expected: 'left out, or the given value',
      got,
    }))
}

function findLineFaults(
  what: string,
  request: ReceivedRequest,
  { requirement, verb, path }: ExpectedRequest,
): readonly Fault[] {
  const got = [request.method, ...request.path.split('/').map(percentDecoded)]
  const value = [verb, '', 'v1', ...path]
  if (JSON.stringify(got) === JSON.stringify(value)) return []
  return [{ blames: [requirement, 'CLI-039'], what: `method and path of ${what}`, expected: { value }, got }]
}

function findQueryFaults(
  what: string,
  { query }: ReceivedRequest,
  { requirement, query: given = {} }: ExpectedRequest,
): readonly Fault[] {
  return Object.entries(given).flatMap(([name, value]): Fault[] => {
    const named = { blames: [requirement], what: `query ${name} of ${what}`, got: query.getAll(name) }
    // A library may have a limit of its own.
    if (value === undefined) return name === 'limit' || !query.get(name) ? [] : [{ ...named, expected: 'none' }]
    const isSent = query.getAll(name).length === 1 && query.get(name) === asText(value)
    return isSent ? [] : [{ ...named, expected: { value: [asText(value)] } }]
  })
}

function findBodyFaults(
  what: string,
  { json, body }: ReceivedRequest,
  { requirement, path, emails, scheduled, webhook }: ExpectedRequest,
  call: ObservedCall,
): readonly Fault[] {
  if (scheduled !== undefined) return findTimeFaults(what, { given: scheduled, sent: json, call, requirement })
  if (webhook !== undefined) return findWebhookFaults(what, webhook, json)
  if (emails === undefined) return []
  const isList = path.length > 1
  const sent: readonly unknown[] = Array.isArray(json) ? json : [json]
  if (sent.length !== emails.length || Array.isArray(json) !== isList)
    return [
      {
        blames: [requirement],
        what: `emails in the body of ${what}`,
        expected: String(emails.length),
        got: json ?? body,
      },
    ]
  return emails.flatMap((given, index) => {
    const name = isList ? `email ${index + 1} of ${what}` : what
    return [
      ...findEmailFaults(name, { given, sent: sent[index], requirement }),
      ...findTimeFaults(name, { given, sent: sent[index], call, requirement }),
    ]
  })
}

function findEmailFaults(
  what: string,
  {
    given,
    sent,
    requirement,
  }: { readonly given: unknown; readonly sent: unknown; readonly requirement: RequirementId },
): readonly Fault[] {
  const texts = ['from', 'subject', 'html', 'text'].map(
    (name) => [name, memberOf(given, name), memberOf(sent, name)] as const,
  )
  // A client may put a single recipient into a list.
  const recipients = (email: unknown) => [memberOf(email, 'to') ?? []].flat()
  return [...texts, ['to', recipients(given), recipients(sent)] as const].flatMap(([name, value, got]) =>
    JSON.stringify(value) === JSON.stringify(got)
      ? []
      : [{ blames: [requirement], what: `${name} of ${what}`, expected: { value }, got }],
  )
}

/** The three ways to name every event type; null and a missing value are every inbox. */
const everyType = [undefined, [], ['*']]

function findWebhookFaults(what: string, given: unknown, sent: unknown): readonly Fault[] {
  const url = asText(memberOf(given, 'url'))
  const types = memberOf(given, 'event_types')
  const isIn = (values: readonly unknown[], one: unknown) =>
    values.some((value) => JSON.stringify(value) === JSON.stringify(one))
  const due: Readonly<Record<string, readonly unknown[]>> = {
    // The name of a host has no case.
    url: [url, url.replace(/^https:\/\/[^/]+/, (origin) => origin.toLowerCase())],
    event_types: isIn(everyType, types) ? everyType : [types],
    inbox_id: memberOf(given, 'inbox_id') == null ? [undefined, null] : [memberOf(given, 'inbox_id')],
  }
  return Object.entries(due).flatMap(([name, values]) => {
    const got = memberOf(sent, name)
    const expected = values.map((value) => JSON.stringify(value) ?? 'none').join(' or ')
    return isIn(values, got) ? [] : [{ blames: ['CLI-059'], what: `field ${name} of ${what}`, expected, got }]
  })
}

/** The texts of the arguments must arrive somewhere: the path of the method is not shown. */
function findMissingTexts({ method, ...script }: Script, { exchanges }: ObservedCall): readonly Fault[] {
  const texts = exchanges.flatMap(({ request }) => textsOf(request))
  const given = method.args.filter((_, index) => index !== unnamedArguments[method.name]).flatMap(leavesOf)
  return [...given, ...(script.more?.texts ?? [])]
    .filter((text) => !texts.includes(text))
    .map((text) => ({
      blames: ['CLI-066', 'CLI-060'],
      what: `requests of ${describeCall({ method, ...script })}`,
      expected: `"${text}" in path, query or body`,
      got: texts.join(' | '),
    }))
}

/** The texts of a request: the parts of its path, the values of its query, and those of its JSON body, however deep. */
export function textsOf({ path, query, json }: ReceivedRequest): readonly string[] {
  return [...path.split('/').map((part) => percentDecoded(part) ?? part), ...query.values(), ...leavesOf(json)]
}

function leavesOf(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [asText(value)]
}
