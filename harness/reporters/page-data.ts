import type { CaseResult, ExchangeRecord, Mismatch } from '../result.js'
import { isRepeat, shownExchanges } from './exchanges-shown.js'
import { shortened } from './text.js'

/** What a page shows of one case: mismatches, exchanges, and characters of one value or body. */
const most = { checks: 51, exchanges: 60, value: 4_001, body: 16_001, counterexample: 20_000 }

/** A result cut to what a page shows, and how many of its exchanges were left out; those kept take at most `room` characters. */
export function pageResult(
  result: CaseResult,
  room: number,
): { readonly result: CaseResult; readonly left: number; readonly characters: number } {
  const { checks, counterexample, exchanges = [] } = result
  const kept: ExchangeRecord[] = []
  let characters = 0
  const wanted = exchanges.length > most.exchanges ? withoutPolls(exchanges, checks) : exchanges
  for (const exchange of shownExchanges({ ...result, exchanges: wanted }, most.exchanges).kept) {
    const cut = cutExchange(exchange)
    const size = JSON.stringify(cut).length
    if (characters + size > room) break
    characters += size
    kept.push(cut)
  }
  const shown = JSON.stringify(counterexample) ?? ''
  return {
    result: {
      ...result,
      ...(checks === undefined ? {} : { checks: checks.slice(0, most.checks).map(cutCheck) }),
      ...(shown.length > most.counterexample ? { counterexample: shortened(shown, most.counterexample) } : {}),
      ...(result.message === undefined ? {} : { message: shortened(result.message, most.value) }),
      ...(exchanges.length === 0 ? {} : { exchanges: kept }),
    },
    left: exchanges.length - kept.length,
    characters,
  }
}

/** Of a request that is repeated with the same status, only the first, the last, and those that a check names. */
function withoutPolls(exchanges: readonly ExchangeRecord[], checks: readonly Mismatch[] = []): ExchangeRecord[] {
  const named = new Set(checks.map((check) => check.exchange_at))
  return exchanges.filter(
    (exchange, index) =>
      named.has(exchange.started_at) ||
      !isRepeat(exchanges[index - 1], exchange) ||
      !isRepeat(exchange, exchanges[index + 1]),
  )
}

function cutCheck(check: Mismatch): Mismatch {
  const cut = (text: string) => shortened(text, most.value)
  return { ...check, what: cut(check.what), expected: cut(check.expected), got: cut(check.got) }
}

function cutExchange(exchange: ExchangeRecord): ExchangeRecord {
  const { request, response } = exchange
  return {
    ...exchange,
    request: cutMessage(request),
    ...(response === undefined ? {} : { response: cutMessage(response) }),
  }
}

function cutMessage<Message extends { readonly body?: string; readonly body_base64?: string }>(
  message: Message,
): Message {
  const { body, body_base64 } = message
  return {
    ...message,
    ...(body === undefined ? {} : { body: shortened(body, most.body) }),
    // Four characters of base64 are three bytes: cut between such groups.
    ...(body_base64 === undefined ? {} : { body_base64: body_base64.slice(0, Math.floor(most.body / 4) * 4) }),
  }
}
