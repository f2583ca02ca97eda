import { eventTypes, type EventType } from '../spec/index.js'
import { memberOf } from '../harness/wire/exchange.js'
import { normalizeBaseUrl, type ServiceTarget, type Trigger } from '../harness/service/target.js'
import type { Settings } from './settings.js'
import { hostAndPort, httpUrl, positiveNumber, UsageError, wholeNumber } from './usage.js'

/** A service target out of flags, variables and file. Throws `UsageError` for what is missing or makes no sense. */
export function serviceTarget(settings: Settings): ServiceTarget {
  const baseUrl = settings.text('base-url')
  if (baseUrl === undefined)
    throw new UsageError('run needs a target: --base-url <url>, or --reference for the reference server')
  httpUrl('--base-url', baseUrl)
  const { file } = settings
  const control = memberOf(file, 'control')
  const controlUrl = settings.text('control-url') ?? textOf(control, 'url')
  const controlKey = settings.text('control-key') ?? textOf(control, 'key')
  if (controlUrl !== undefined) httpUrl('--control-url', controlUrl)
  if (controlUrl !== undefined && controlKey === undefined)
    throw new UsageError('--control-url needs --control-key (or CONFORMANCE_CONTROL_KEY)')
  if (controlKey !== undefined && controlUrl === undefined)
    throw new UsageError('--control-key needs --control-url (or CONFORMANCE_CONTROL_URL)')
  const receiver = memberOf(file, 'receiver')
  const publicUrl = textOf(receiver, 'public_url')
  const dns = memberOf(file, 'dns')
  const zone = textOf(dns, 'zone')
  const retryDepth = settings.text('retry-depth')
  const maxRps = settings.text('max-rps')
  return {
    baseUrl: normalizeBaseUrl(baseUrl),
    apiKey: settings.text('api-key'),
    from: textOf(file, 'from'),
    inboxes: arrayOf(memberOf(file, 'inboxes')).map((inbox) => ({
      id: textOf(inbox, 'id') ?? '',
      address: textOf(inbox, 'address') ?? '',
      apiKey: textOf(inbox, 'api_key'),
    })),
    receiver:
      publicUrl === undefined
        ? undefined
        : { ...hostAndPort('receiver.listen', textOf(receiver, 'listen') ?? '0'), publicUrl },
    triggers: triggersOf(memberOf(file, 'triggers')),
    dns: zone === undefined ? undefined : { zone, ...hostAndPort('dns.listen', textOf(dns, 'listen') ?? '53') },
    retryDepth: retryDepth === undefined ? 2 : wholeNumber('--retry-depth', retryDepth, 1, 7),
    control: controlUrl === undefined || controlKey === undefined ? undefined : { url: controlUrl, key: controlKey },
    maxRps: maxRps === undefined ? Number.POSITIVE_INFINITY : positiveNumber('--max-rps', maxRps),
  }
}

function triggersOf(value: unknown): ServiceTarget['triggers'] {
  const triggers: Partial<Record<EventType, Trigger>> = {}
  for (const type of Object.keys(eventTypes) as EventType[]) {
    const trigger = memberOf(value, type)
    const to = textOf(trigger, 'to')
    const command = textOf(trigger, 'command')
    if (command !== undefined) triggers[type] = { kind: 'command', command }
    else if (to !== undefined) triggers[type] = { kind: 'to', address: to }
    else if (memberOf(trigger, 'send_to_inbox') === true) triggers[type] = { kind: 'send_to_inbox' }
  }
  return triggers
}

function textOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name)
  return typeof member === 'string' && member !== '' ? member : undefined
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
