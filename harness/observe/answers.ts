// Checks answers of the API: status, shape, errors, and lists of events, webhooks and deliveries.
import { maxBatchSize, type RequirementId } from '../../spec/index.js'
import { answers } from '../service/always-on.js'
import type { OperationId } from '../service/api.js'
import { itemsOf } from '../service/answer-readers.js'
import { checkError } from '../service/rules.js'
import { memberOf } from '../wire/exchange.js'
import { parseInstant } from '../wire/numbers.js'
import { asText, parseJson } from '../wire/json.js'
import { parsedUrl } from '../wire/url.js'
import { operationOf, decoded, labelOf, type RequestedOperation } from './operation.js'
import { createdWebhook, hrefOf, isTexts, sampleSecret, typesOf } from './created-webhook.js'
import { anySecretToken, secretToken } from './confidential.js'
import type { Deliveries } from './deliveries.js'
import type { DeliveryRecords } from './delivery-records.js'
import { Idempotency } from './idempotency.js'
import type { Keys } from './keys.js'
import type { Ledger } from './ledger.js'
import { checkListedDelivery, findReplayAfterOriginal } from './listed-deliveries.js'
import { checkLimit } from './page-limit.js'
import { Pages } from './pages.js'
import { endOf, markedField, type ExchangeLine } from './record.js'
import { shapeFault } from './shape.js'
import { checkReplays } from './replays.js'
import type { Webhooks } from './webhooks.js'
import { keepNewest } from './keep-newest.js'

export interface AnswerParts {
  readonly ledger: Ledger
  readonly keys: Keys
  readonly webhooks: Webhooks
  readonly deliveries: Deliveries
  readonly records: DeliveryRecords
}

/** How long after a change a list may not show it, as for a run of our own. */
const lagMs = 5_000
/** The members of a listed webhook in the interface; any other member may mark it as deleted. */
const webhookMembers = new Set(['id', 'url', 'event_types', 'inbox_id'])

/** Replays of one webhook that wait for a list. */
const maxReplayed = 100
/** The most replays of a webhook that are kept with their time and their delivery. */
const maxReplays = 1_000

export class Answers {
  readonly #ledger: Ledger
  readonly #keys: Keys
  readonly #webhooks: Webhooks
  readonly #deliveries: Deliveries
  readonly #records: DeliveryRecords
  readonly #idempotency: Idempotency
  readonly #pages: Pages
  readonly #secrets = new Map<string, string>()

  constructor(parts: AnswerParts) {
    this.#ledger = parts.ledger
    this.#keys = parts.keys
    this.#webhooks = parts.webhooks
    this.#deliveries = parts.deliveries
    this.#records = parts.records
    this.#idempotency = new Idempotency(parts.ledger)
    this.#pages = new Pages(parts)
  }

  take(line: ExchangeLine): void {
    const { response } = line
    const requested = operationOf(line)
    if (response === undefined) return
    if (requested === undefined) {
      this.#leave(line)
      return
    }
    const { status } = response
    const body = response.body_missing === undefined ? parseJson(response.body ?? '') : undefined
    const isUnknown = response.body_missing !== undefined
    this.#checkSecrets(line, requested)
    if (status >= 500) return
    if (status >= 400) {
      if (!isUnknown) this.#checkError(line, body)
      return
    }
    if (status >= 300 || status < 200) return
    this.#checkStatus(line, requested)
    if (requested.operation === 'deleteWebhook') this.#deleted(line, requested)
    if (requested.operation === 'replayDelivery') this.#replayed(line, requested)
    if (isUnknown) return
    this.#idempotency.take(line, body)
    if (requested.operation === 'createWebhook') this.#checkCreated(line, body)
    else if (requested.operation === 'pollEvents') this.#pages.take(line, body, requested.query)
    else if (requested.operation === 'listWebhooks') this.#checkWebhooks(line, body)
    else if (requested.operation === 'listDeliveries') this.#checkDeliveries(line, body, requested)
    else this.#checkShape(line, requested.operation, body)
  }

  #replayed(line: ExchangeLine, { ids: [webhookId = '', deliveryId = ''] }: RequestedOperation): void {
    const webhook = this.#webhooks.get(line.service, webhookId)
    if (webhook === undefined) return
    const { replays, replayIds, replayed } = webhook
    replays.push(Date.parse(line.at))
    // The first one stays: it is the time since which there are replays.
    if (replays.length > maxReplays) replays.splice(1, 1)
    replayIds.add(deliveryId)
    keepNewest(replayIds, maxReplays)
    replayed.set(deliveryId, { endedAt: endOf(line), line })
    keepNewest(replayed, maxReplayed)
  }

  /** A request the interface does not know may change a webhook in a way it does not know either. */
  #leave(line: ExchangeLine): void {
    const { service, method, path } = line
    const id = /^\/v1\/webhooks\/([^/?]+)/.exec(path)?.[1]
    // A posted body may be for a secret, such as an exchange of it.
    if (method !== 'POST') this.#checkSecrets(line)
    if (id !== undefined && method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS')
      this.#webhooks.change(service, decoded(id))
  }

  #checkStatus(line: ExchangeLine, { operation }: RequestedOperation): void {
    const [requirement, expected] =
      operation === 'createWebhook'
        ? (['WHK-001', 201] as const)
        : operation === 'replayDelivery'
          ? (['RPL-001', 202] as const)
          : []
    if (requirement === undefined) return
    this.#ledger.checked(requirement)
    const got = line.response?.status
    if (got !== expected)
      this.#ledger.violated(requirement, {
        what: `status of ${labelOf(line)}`,
        expected: String(expected),
        got,
        lines: [line],
      })
  }

  #checkError(line: ExchangeLine, body: unknown): void {
    const { status = 0, body: text } = line.response ?? {}
    const error = checkError(this.#ledger.recorderFor(line), { status, label: labelOf(line), body, text })
    if (error === undefined) return
    if (error.code === 'sender_not_verified') {
      this.#ledger.checked('SND-012')
      if (status !== 403)
        this.#ledger.violated('SND-012', {
          what: 'status of sender_not_verified',
          expected: '403',
          got: status,
          lines: [line],
        })
    }
    if (error.code !== 'invalid_batch') return
    this.#ledger.checked('SND-006')
    if (!Array.isArray(error.errors) || error.errors.length === 0)
      this.#ledger.violated('SND-006', {
        what: 'errors of invalid_batch',
        expected: 'one entry per bad item',
        got: error.errors,
        lines: [line],
      })
  }

  /** Checks that no other answer below the webhooks contains a secret of a create answer. */
  #checkSecrets(line: ExchangeLine, requested?: RequestedOperation): void {
    const operation = requested?.operation
    if (!line.path.startsWith('/v1/webhooks')) return
    const text = line.response?.body ?? ''
    const requirement = operation === 'listWebhooks' ? 'WHK-012' : 'WHK-013'
    if (operation !== 'createWebhook') this.#ledger.checked(requirement)
    const own =
      operation === 'createWebhook' ? secretToken.exec(asText(memberOf(parseJson(text), 'secret')))?.[2] : undefined
    for (const [token, kind, name = ''] of text.matchAll(anySecretToken)) {
      const isWhole =
        kind === 'secret' &&
        requested !== undefined &&
        operation !== 'createWebhook' &&
        new RegExp(`"secret"\\s*:\\s*"\\${token}"`).test(text)
      if (name === own || !(isWhole || this.#webhooks.isKnownSecret(name))) continue
      this.#ledger.violated(requirement, {
        what: `secret of a webhook in the answer to ${labelOf(line)}`,
        expected: 'nowhere but in the answer that made it',
        got: token,
        fault: 'secret shown again',
        lines: [line],
      })
      return
    }
  }

  #checkCreated(line: ExchangeLine, body: unknown): void {
    const ledger = this.#ledger
    const sent = line.request.body === undefined ? undefined : parseJson(line.request.body)
    const lines = [line]
    const filled = createdWebhook(body, sent)
    ledger.checked('WHK-002')
    const fault = shapeFault('CreatedWebhook', filled, 'WHK-002')
    if (fault !== undefined) {
      ledger.violated(fault.requirement, {
        what: `answer to ${labelOf(line)}, ${fault.where}`,
        expected: fault.problem,
        got: fault.found === sampleSecret ? '[secret]' : fault.found,
        lines,
      })
    }
    const key = this.#keys.of(line.service, line.key, 'no key')
    const webhook = this.#webhooks.add(line.service, body, key, true)
    const secret = secretToken.exec(asText(memberOf(body, 'secret')))?.[2]
    if (webhook !== undefined && secret !== undefined) this.#checkOwnSecret(line, webhook.id, secret)
    if (fault === undefined && typeof sent === 'object' && sent !== null) this.#checkEcho(line, sent, body)
  }

  #checkOwnSecret(line: ExchangeLine, id: string, secret: string): void {
    this.#ledger.checked('WHK-018')
    const other = this.#secrets.get(secret)
    if (other !== undefined && other !== id)
      this.#ledger.violated('WHK-018', {
        what: `secret of ${id}`,
        expected: `another than that of ${other}`,
        got: 'the same',
        lines: [line],
      })
    this.#secrets.set(secret, id)
    keepNewest(this.#secrets, 10_000)
  }

  /** Checks that the answer returns the sent values; an unrequested inbox is that of a key limited to it. */
  #checkEcho(line: ExchangeLine, sent: object, body: unknown): void {
    const ledger = this.#ledger
    const lines = [line]
    const key = this.#keys.of(line.service, line.key, 'no key')
    const [url, given] = [memberOf(sent, 'url'), memberOf(body, 'url')]
    ledger.checked('WHK-005')
    if (typeof url === 'string' && typeof given === 'string' && hrefOf(url) !== hrefOf(given))
      ledger.violated('WHK-005', { what: 'url of the created webhook', expected: url, got: given, lines })
    const isPlain = (value: unknown) => typeof value === 'string' && /^http:/i.test(value)
    if (typeof url === 'string' && parsedUrl(url) !== undefined) ledger.checked('WHK-019')
    if (isPlain(url) && isPlain(given))
      ledger.violated('WHK-019', { what: 'url of the created webhook', expected: 'an https:// URL', got: given, lines })
    // Anything but a list of strings is malformed, and may be treated as missing.
    const [types, givenTypes] = [isTexts(memberOf(sent, 'event_types')) ? typesOf(sent) : undefined, typesOf(body)]
    const isMarked = JSON.stringify([sent, body]).includes(markedField)
    if (types !== undefined && givenTypes !== undefined && types !== givenTypes && !isMarked)
      ledger.violated('WHK-005', {
        what: 'event_types of the created webhook',
        expected: types,
        got: givenTypes,
        lines,
      })
    const [inbox, givenInbox] = [memberOf(sent, 'inbox_id') ?? undefined, memberOf(body, 'inbox_id') ?? undefined]
    // Nor is an empty text an inbox.
    if (isMarked || inbox === '' || (inbox !== undefined && typeof inbox !== 'string')) return
    if (key.scope !== undefined) {
      const requirement = inbox === undefined ? 'SCOPE-003' : 'SCOPE-004'
      ledger.checked(requirement)
      if (givenInbox !== key.scope)
        ledger.violated(requirement, {
          what: `inbox_id of a webhook made by ${key.name}`,
          expected: key.scope,
          got: givenInbox,
          fault: `forced:${key.name}`,
          lines,
        })
      return
    }
    if (typeof givenInbox === 'string' && givenInbox !== inbox) this.#forced(line, givenInbox)
    else if (givenInbox === undefined && inbox !== undefined)
      ledger.violated('WHK-002', { what: 'inbox_id of the created webhook', expected: inbox, got: null, lines })
    else if (givenInbox === undefined && key.isKnown) {
      ledger.checked('WHK-010')
      key.isWide = true
    }
  }

  /** Limits the key to the inbox, unless it has made a webhook for every inbox. */
  #forced(line: ExchangeLine, inbox: string): void {
    const key = this.#keys.of(line.service, line.key, 'no key')
    if (!key.isWide) this.#keys.limit(key, inbox)
    else
      this.#ledger.violated('SCOPE-003', {
        what: `inbox_id of a webhook made by ${key.name}, which made one for every inbox before`,
        expected: 'the requested inbox, or one inbox each time',
        got: inbox,
        fault: `forced:${key.name}`,
        lines: [line],
      })
  }

  /** A delete by a key that does not see the webhook may succeed and delete nothing (open point delete-again). */
  #deleted(line: ExchangeLine, { ids }: RequestedOperation): void {
    const webhook = this.#webhooks.get(line.service, ids[0] ?? '')
    if (webhook === undefined) return
    const key = this.#keys.of(line.service, line.key, 'no key')
    if (key === webhook.key || key.orgState === webhook.key.orgState) webhook.deletedAt ??= endOf(line)
  }

  #checkWebhooks(line: ExchangeLine, body: unknown): void {
    const key = this.#keys.of(line.service, line.key, 'no key')
    for (const item of itemsOf({ json: body }) ?? []) {
      this.#ledger.checked('WHK-011')
      this.#checkComponent(line, 'Webhook', item, 'WHK-011')
      const webhook = this.#webhooks.add(line.service, item, key, false)
      if (webhook === undefined) continue
      const text = JSON.stringify(item)
      if (webhook.deletedAt === undefined) {
        webhook.listedAs = text
        continue
      }
      this.#ledger.checked('WHK-017')
      // It may be listed as deleted, in whatever words.
      const isAsBefore =
        webhook.listedAs === undefined
          ? Object.keys(item ?? {}).every((name) => webhookMembers.has(name))
          : webhook.listedAs === text
      if (isAsBefore && Date.parse(line.at) > webhook.deletedAt + lagMs)
        this.#ledger.violated('WHK-017', {
          what: `list of webhooks ${Math.round(Date.parse(line.at) - webhook.deletedAt)} ms after ${webhook.id} was deleted`,
          expected: 'without it, or marked as deleted',
          got: item,
          lines: [line],
        })
    }
  }

  #checkDeliveries(line: ExchangeLine, body: unknown, { ids, query }: RequestedOperation): void {
    const items = itemsOf({ json: body }) ?? []
    const requirements = ['DLV-013', 'DLV-014', 'DLV-015'] as const
    const limit = checkLimit(this.#ledger, { line, count: items.length, query, ids: requirements })
    for (const item of items) {
      this.#ledger.checked('DLV-012')
      const status = memberOf(item, 'status')
      const isWaiting =
        (status === 'pending' || status === markedField) && (memberOf(item, 'attempt') ?? undefined) === undefined
      this.#checkComponent(line, 'Delivery', isWaiting ? { ...(item as object), attempt: 0 } : item, 'DLV-012')
      checkListedDelivery(this.#ledger, line, item)
    }
    this.#checkNewestFirst(line, items)
    const webhook = this.#webhooks.get(line.service, ids[0] ?? '')
    if (webhook === undefined) return
    this.#deliveries.settle(webhook, line, limit)
    this.#records.compare(webhook, line, items)
    // The effect of a query of the service's own is unknown.
    const isWhole = items.length > 0 && items.length < limit && [...query.keys()].every((name) => name === 'limit')
    if (isWhole) checkReplays(this.#ledger, { webhook, line, items })
  }

  /** Checks the order, newest first, by times or replays: a replay is newer than a delivery that ended before it. */
  #checkNewestFirst(line: ExchangeLine, items: readonly unknown[]): void {
    const behind = findReplayAfterOriginal(items)
    if (behind !== undefined)
      return this.#ledger.violated('DLV-012', {
        what: `order of ${labelOf(line)}`,
        expected: 'newest first',
        got: behind,
        lines: [line],
      })
    const times = items.map((item) => parseInstant(asText(memberOf(item, 'created_at'))))
    const wrong = times.findIndex((time, index) => time - (times[index - 1] ?? Number.NaN) > 1_000)
    if (wrong !== -1)
      this.#ledger.violated('DLV-012', {
        what: `order of ${labelOf(line)}`,
        expected: 'newest first',
        got: items.slice(wrong - 1, wrong + 1),
        lines: [line],
      })
  }

  #checkShape(line: ExchangeLine, operation: OperationId, body: unknown): void {
    const expected = answers[operation]
    if (expected === undefined) return
    this.#ledger.checked(expected.requirement)
    this.#checkComponent(line, expected.component, body, expected.requirement)
    if (operation === 'sendBatch') this.#checkBatch(line, body)
  }

  #checkBatch(line: ExchangeLine, body: unknown): void {
    const sent = memberOf(body, 'data')
    if (!Array.isArray(sent)) return
    this.#ledger.checked('SND-005')
    if (sent.length > maxBatchSize)
      this.#ledger.violated('SND-005', {
        what: `emails that ${labelOf(line)} accepted`,
        expected: `at most ${maxBatchSize}`,
        got: sent.length,
        lines: [line],
      })
  }

  #checkComponent(line: ExchangeLine, component: string, value: unknown, requirement: RequirementId): void {
    const fault = shapeFault(component, value, requirement)
    if (fault === undefined) return
    this.#ledger.violated(fault.requirement, {
      what: `answer to ${labelOf(line)}, ${fault.where}`,
      expected: fault.problem,
      got: fault.found,
      fault: `${component}:${fault.fault}`,
      lines: [line],
    })
  }
}
