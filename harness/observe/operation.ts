// Finds the operation of a recorded request.
import type { OperationId } from '../service/api.js'
import { percentDecoded } from '../wire/percent.js'
import type { ExchangeLine } from './record.js'

/** One request as the interface knows it. */
export interface RequestedOperation {
  readonly operation: OperationId
  /** Ids in the path. */
  readonly ids: readonly string[]
  readonly query: URLSearchParams
}

/** `GET /v1/events`. */
export function labelOf({ method, path }: ExchangeLine): string {
  return `${method} ${path.split('?')[0] ?? ''}`
}

/** The operation of a request; undefined where the interface has none. */
export function operationOf({ method, path }: Pick<ExchangeLine, 'method' | 'path'>): RequestedOperation | undefined {
  const [pathname = '', search = ''] = path.split('?')
  const parts = pathname.split('/').slice(1)
  if (parts.at(-1) === '') parts.pop()
  const [version, resource, id, below, deliveryId, last, more] = parts
  if (version !== 'v1' || more !== undefined) return undefined
  const query = new URLSearchParams(search)
  const operationFor = (operation: OperationId, ...ids: (string | undefined)[]): RequestedOperation => ({
    operation,
    ids: ids.map((id) => decoded(id ?? '')),
    query,
  })
  const place = `${method} ${String(resource)}`
  if (id === undefined) {
    const whole: Readonly<Record<string, OperationId>> = {
      'POST webhooks': 'createWebhook',
      'GET webhooks': 'listWebhooks',
      'GET events': 'pollEvents',
      'POST emails': 'sendEmail',
      'GET emails': 'listEmails',
    }
    const operation = whole[place]
    return operation === undefined ? undefined : operationFor(operation)
  }
  if (below === undefined) {
    if (place === 'DELETE webhooks') return operationFor('deleteWebhook', id)
    if (place === 'POST emails' && id === 'batch') return operationFor('sendBatch')
    if (place === 'GET emails') return operationFor('getEmail', id)
    return place === 'PATCH emails' ? operationFor('updateEmail', id) : undefined
  }
  if (resource === 'emails')
    return method === 'POST' && below === 'cancel' && deliveryId === undefined
      ? operationFor('cancelEmail', id)
      : undefined
  if (resource !== 'webhooks' || below !== 'deliveries') return undefined
  if (deliveryId === undefined) return method === 'GET' ? operationFor('listDeliveries', id) : undefined
  return method === 'POST' && last === 'replay' ? operationFor('replayDelivery', id, deliveryId) : undefined
}

/** A part of a path without its percent signs; as it is where it cannot be read. */
export function decoded(text: string): string {
  return percentDecoded(text) ?? text
}
