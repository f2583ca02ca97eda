// Compares accepted replays with the deliveries that are listed later.
import { asText } from '../wire/json.js'
import { memberOf } from '../wire/exchange.js'
import type { Ledger } from './ledger.js'
import { markedField, type ExchangeLine } from './record.js'
import type { WebhookState } from './webhooks.js'

/** How long after a replay a list may not show it, as for a run of our own. */
const lagMs = 5_000

/** A list of all deliveries has one with the `replay_of` of each replay: that delivery, or the one it is a replay of itself. */
export function checkReplays(
  ledger: Ledger,
  {
    webhook,
    line,
    items,
  }: { readonly webhook: WebhookState; readonly line: ExchangeLine; readonly items: readonly unknown[] },
): void {
  const named = items.map((item) => asText(memberOf(item, 'replay_of') ?? ''))
  if (named.includes(markedField)) return
  for (const [deliveryId, replay] of webhook.replayed) {
    if (Date.parse(line.at) - replay.endedAt < lagMs) continue
    webhook.replayed.delete(deliveryId)
    const original = items.find((item) => memberOf(item, 'id') === deliveryId)
    // Only the list shows which delivery it repeats.
    if (original === undefined) continue
    const root = asText(memberOf(original, 'replay_of') ?? '')
    ledger.checked('RPL-004')
    if (named.includes(deliveryId) || (root !== '' && named.includes(root))) continue
    ledger.violated('RPL-004', {
      what: `replay_of of the replay of ${deliveryId}, in all deliveries of ${webhook.id}`,
      expected: `a delivery with replay_of ${deliveryId}`,
      got: named.filter((id) => id !== ''),
      lines: [replay.line, line],
    })
  }
}
