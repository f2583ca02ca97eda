import { eventTypes, type EventType } from '../../spec/index.js'
import { memberOf, normalizeBaseUrl } from '../../harness/parsing.js'
import type { ServiceTarget, Trigger } from '../../harness/service/index.js'
import { accessOf, refuseOwnHeaders } from '../cli/access.js'
import type { Settings } from '../cli/settings.js'
import { hideSecrets } from '../cli/hidden-arguments.js'
import { hostAndPort, httpUrl, positiveNumber, rootUrl, UsageError, wholeNumber } from '../cli/usage.js'
import { invocation } from '../cli/invocation.js'

/** Attempts watched in real time by default. */
const defaultRetryDepth = 2

/**
 * Builds a service target from flags, variables and file; `bridged` is the control interface of a command. Throws `UsageError` for missing
 * or invalid values.
 */
export function serviceTarget(settings: Settings, bridged?: ServiceTarget['control']): ServiceTarget {
  const baseUrl = settings.text('base-url')
  if (baseUrl === undefined)
    throw new UsageError(
      'run needs a target: --base-url <url> (or CONFORMANCE_BASE_URL, or base_url in the configuration; an empty variable is none), or --reference for the reference server',
    )
  rootUrl('--base-url', baseUrl)
  const { file } = settings
  const dns = memberOf(file, 'dns')
  const zone = textOf(dns, 'zone')
  const control = bridged ?? controlOf(settings)
  const triggers = triggersOf(memberOf(file, 'triggers'))
  const apiKey = headerSafe('--api-key', settings.text('api-key'))
  const secondApiKey = headerSafe('--second-api-key', settings.text('second-api-key'))
  if (secondApiKey !== undefined && secondApiKey === apiKey)
    throw new UsageError('--second-api-key: the same as --api-key; it must be of another project')
  const access = accessOf(settings, baseUrl)
  refuseOwnHeaders(access.headers ?? {})
  const target: ServiceTarget = {
    baseUrl: normalizeBaseUrl(baseUrl),
    apiKey,
    secondApiKey,
    access,
    from: textOf(file, 'from'),
    inboxes: arrayOf(memberOf(file, 'inboxes')).map((inbox) => ({
      id: textOf(inbox, 'id') ?? '',
      address: textOf(inbox, 'address') ?? '',
      apiKey: headerSafe('inboxes.api_key', textOf(inbox, 'api_key')),
    })),
    receiver: receiverOf(memberOf(file, 'receiver')),
    triggers,
    secrets: Object.values(triggers).flatMap((trigger) =>
      trigger.kind === 'command' ? hideSecrets([`${trigger.command} `], invocation().env).secrets : [],
    ),
    dns: zone === undefined ? undefined : { zone, ...hostAndPort('dns.listen', textOf(dns, 'listen') ?? '53') },
    control,
    recipient: textOf(file, 'recipient'),
    publicHost: textOf(file, 'public_host'),
    ...paceOf(settings),
  }
  if (apiKey === undefined && control === undefined)
    throw new UsageError(
      'run needs a key that sees the whole org: --api-key <key> (or CONFORMANCE_API_KEY, or api_key in the configuration)',
    )
  return target
}

/** `--retry-depth` and `--max-rps`. */
export function paceOf(settings: Settings): Pick<ServiceTarget, 'retryDepth' | 'maxRps'> {
  const retryDepth = settings.text('retry-depth')
  const maxRps = settings.text('max-rps')
  return {
    retryDepth: retryDepth === undefined ? defaultRetryDepth : wholeNumber('--retry-depth', retryDepth, 1, 7),
    maxRps: maxRps === undefined ? Number.POSITIVE_INFINITY : positiveNumber('--max-rps', maxRps),
  }
}

/** Where the control interface is and its key; the two are given together. */
function controlOf(settings: Settings): ServiceTarget['control'] {
  const control = memberOf(settings.file, 'control')
  const url = settings.text('control-url') ?? textOf(control, 'url')
  const key = headerSafe('--control-key', settings.text('control-key') ?? textOf(control, 'key'))
  if (url === undefined && key === undefined) return undefined
  if (url === undefined) throw new UsageError('--control-key needs --control-url (or CONFORMANCE_CONTROL_URL)')
  rootUrl('--control-url', url)
  if (key === undefined) throw new UsageError('--control-url needs --control-key (or CONFORMANCE_CONTROL_KEY)')
  return { url, key }
}

function receiverOf(value: unknown): ServiceTarget['receiver'] {
  const publicUrl = textOf(value, 'public_url')
  const listen = textOf(value, 'listen')
  if (publicUrl === undefined && listen === undefined) return undefined
  if (publicUrl === undefined)
    throw new UsageError('receiver.listen needs receiver.public_url: the address the service reaches this sink at')
  return { ...hostAndPort('receiver.listen', listen ?? '0'), publicUrl: httpUrl('receiver.public_url', publicUrl) }
}

function triggersOf(value: unknown): ServiceTarget['triggers'] {
  const triggers: Partial<Record<EventType, Trigger>> = {}
  const types = Object.keys(eventTypes) as EventType[]
  for (const [name, trigger] of Object.entries(value ?? {})) {
    const type = types.find((known) => known === name)
    if (type === undefined) throw new UsageError(`triggers.${name}: no such event type; expected ${types.join(', ')}`)
    const to = textOf(trigger, 'to')
    const command = textOf(trigger, 'command')
    if (command !== undefined) triggers[type] = { kind: 'command', command }
    else if (to !== undefined) triggers[type] = { kind: 'to', address: to }
    else if (memberOf(trigger, 'send_to_inbox') === true) triggers[type] = { kind: 'send_to_inbox' }
  }
  return triggers
}

/** Returns a key that a header can contain. */
export function headerSafe(option: string, key: string | undefined): string | undefined {
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw new UsageError(`${option}: the key contains a space, a line break or a character that is not ASCII`)
  return key
}

function textOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name)
  return typeof member === 'string' && member !== '' ? member : undefined
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
