import type { Transport } from './transport.js'
import type { CallOptions } from './types.js'

/** A message, as the caller has it: its fields are not shown. */
export type MessageToSend = Readonly<Record<string, unknown>>

/** `client.messages`, where the policy tells the paths, which the interface does not show. */
export interface Messages {
  /** Sends from an inbox, with an automatic `Idempotency-Key`. */
  send(inboxId: string, message: MessageToSend, options?: CallOptions): Promise<unknown>
  /** Answers a message, with an automatic `Idempotency-Key`; `text`, `reply_all`. */
  reply(id: string, message: MessageToSend, options?: CallOptions): Promise<unknown>
}

export function createMessages(call: Transport): Messages {
  return {
    send: async (inboxId, message, options) =>
      call({ operation: 'messages.send', path: { inbox_id: inboxId }, body: message, options }),
    reply: async (id, message, options) => call({ operation: 'messages.reply', path: { id }, body: message, options }),
  }
}
