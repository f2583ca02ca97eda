// Every operation of the OpenAPI document as a request that can be put with any credential. An operation that joins the
// document joins the cases that are made from this list.

import { openapiDocument } from '../../../spec/generated/documents.js'
import { asText, memberOf, type Api, type Exchange, type RawRequest } from '../../../harness/authoring.js'

/** Ids of resources for the parameters of a path, and what bodies need. */
export interface Resources {
  readonly webhookId: string
  readonly deliveryId: string
  readonly emailId: string
  readonly url: string
  readonly from: string
  readonly to: string
}

export interface Operation {
  /** `list-deliveries` of `listDeliveries`. */
  readonly name: string
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  send(api: Api, resources: Resources, raw?: Pick<RawRequest, 'headers' | 'query'>): Promise<Exchange>
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** Every operation of the API except the stream, whose upgrade has no answer body. */
export const operations: readonly Operation[] = Object.entries(memberOf(openapiDocument, 'paths') ?? {}).flatMap(
  ([path, item]) =>
    Object.entries(item as object)
      .filter(([method, operation]) => methods.includes(method) && !isStream(operation))
      .map(([method, operation]) => operationOf(method.toUpperCase(), path, operation)),
)

function isStream(operation: unknown): boolean {
  return memberOf(memberOf(operation, 'responses'), '101') !== undefined
}

function operationOf(method: string, path: string, operation: unknown): Operation {
  const id = asText(memberOf(operation, 'operationId'))
  const hasBody = memberOf(operation, 'requestBody') !== undefined
  return {
    name: id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    method,
    path,
    send: (api, resources, raw = {}) =>
      api.request(method, pathOf(path, resources), {
        ...raw,
        // The checks that are always on know what to hold the answers of most operations against.
        operation: id as NonNullable<RawRequest['operation']>,
        ...(hasBody ? { json: bodyOf(path, method, resources) } : {}),
      }),
  }
}

function pathOf(path: string, { webhookId, deliveryId, emailId }: Resources): string {
  return path
    .replace('{delivery_id}', encodeURIComponent(deliveryId))
    .replace(/\{[^}]*\}/, encodeURIComponent(path.startsWith('/v1/emails') ? emailId : webhookId))
}

/** Returns a body for the operation; an unknown operation gets an empty object, since the credential is checked first. */
function bodyOf(path: string, method: string, { url, from, to }: Resources): unknown {
  const email = { from, to, subject: 'Hello', text: 'Sent by a conformance run' }
  if (path === '/v1/webhooks') return { url, event_types: ['sending.resumed'] }
  if (path === '/v1/emails') return email
  if (path === '/v1/emails/batch') return [email]
  return method === 'PATCH' ? { scheduled_at: inAnHour() } : {}
}

/** A time at which nothing is sent while a case lasts. */
export function inAnHour(): string {
  return new Date(Date.now() + 3_600_000).toISOString()
}
