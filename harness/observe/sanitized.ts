// Placeholders that programs write into a HAR file instead of a key, a secret or a signature: the real value is unknown.
import { memberOf } from '../wire/exchange.js'
import { parseJson } from '../wire/json.js'
import { markedField } from './record.js'
import type { RawAnswer, RawExchange, RawMessage } from './recorder.js'

/** The text before the secret part. */
const prefix = /^(?:bearer\s+|basic\s+|whsec_|v1,)*/i
/** A word such as "redacted", anything in brackets, or dots and stars: none occurs in a key, base64 or a signature. */
const placeholder =
  /^(?:redacted|removed|hidden|masked|filtered|sanitized|omitted|stripped|x{3,})$|^[[(<{].*[\])>}]$|\*{3}|\.{3}|…|•{3}/i

function isSanitized(value: string): boolean {
  return placeholder.test(value.trim().replace(prefix, ''))
}

/** What passed, without the keys and secrets that were cleaned away, and with a mark in the place of signature headers that were. */
export function withoutPlaceholders<Raw extends RawExchange>(raw: Raw): Raw {
  const { url, request, response } = raw
  const clean = new URL(url)
  if (isSanitized(clean.searchParams.get('token') ?? '')) clean.searchParams.delete('token')
  return { ...raw, url: clean, request: withoutKey(request), response: withoutSecret(response) }
}

function withoutKey(message: RawMessage): RawMessage {
  const headers = message.headers
    .filter(([name, value]) => name.toLowerCase() !== 'authorization' || !isSanitized(value))
    .map(([name, value]): [string, string] => [
      name,
      /^webhook-/i.test(name) && isSanitized(value) ? markedField : value,
    ])
  return { ...message, headers }
}

/** A secret of a create answer that was cleaned away is marked as one that is not known. */
function withoutSecret(answer: RawAnswer | undefined): RawAnswer | undefined {
  if (answer?.body === undefined) return answer
  const body = parseJson(Buffer.from(answer.body).toString())
  const secret = memberOf(body, 'secret')
  if (typeof secret !== 'string' || !isSanitized(secret)) return answer
  return { ...answer, body: Buffer.from(JSON.stringify({ ...(body as object), secret: markedField })) }
}
