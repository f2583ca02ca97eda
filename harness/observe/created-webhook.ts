// Normalises a create answer, so that it can be compared with its request.
import { memberOf } from '../wire/exchange.js'
import { asText } from '../wire/json.js'
import { parsedUrl } from '../wire/url.js'
import { decoded } from './operation.js'
import { secretToken } from './confidential.js'

/** A secret in the place of one that was taken out, so that its form can be judged. */
export const sampleSecret = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

export function hrefOf(url: string): string {
  const parsed = parsedUrl(url)
  return parsed === undefined ? url : decoded(parsed.href.replace(/\/$/, ''))
}

export function isTexts(value: unknown): boolean {
  return (value ?? undefined) === undefined || (Array.isArray(value) && value.every((type) => typeof type === 'string'))
}

/** The types of a webhook as one text; empty for every type. */
export function typesOf(webhook: unknown): string | undefined {
  const types = memberOf(webhook, 'event_types') ?? []
  if (!Array.isArray(types)) return undefined
  return types.includes('*') ? '' : [...new Set(types.map(String))].sort().join(' ')
}

/** Returns the create answer of a webhook for everything with its missing members: null and an empty filter. */
export function createdWebhook(body: unknown, requested: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const filled: Record<string, unknown> = { inbox_id: null, ...body }
  if ((filled['event_types'] ?? undefined) === undefined && typesOf(requested) === '') filled['event_types'] = []
  const kind = secretToken.exec(asText(filled['secret']))?.[1]
  if (kind === 'secret' || kind === 'short-secret') filled['secret'] = sampleSecret
  return filled
}
