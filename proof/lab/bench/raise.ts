import { Pool } from 'undici'
import type { ReferenceFacts } from './hosts/reference.js'

export interface Raising {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly event: object
}

/** Returns the request that raises an event at the reference server: one of its first org. */
export function raisingAt(facts: ReferenceFacts): Raising {
  return {
    url: `${facts.controlUrl}/events`,
    headers: { authorization: `Bearer ${facts.controlKey}` },
    event: {
      org_id: facts.orgId,
      type: 'message.received',
      data: {
        message_id: 'msg_01HZX3V5Y8Q2W4E6R8T0Y2U4I6',
        inbox_id: facts.inboxId,
        thread_id: 'thr_01HZX3V5Y8Q2W4E6R8T0Y2U4I6',
        from: 'Someone <someone@elsewhere.example>',
        subject: 'A subject of ordinary length, as subjects are',
      },
    },
  }
}

/** Raises `count` events, some side by side. */
export function raiseEvents(facts: ReferenceFacts, count: number): Promise<void> {
  return raise(raisingAt(facts), count)
}

/** Posts the same event `count` times, some side by side. */
export async function raise({ url, headers, event }: Raising, count: number): Promise<void> {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: 8 })
  const body = JSON.stringify(event)
  let left = count
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const answer = await pool.request({
        method: 'POST',
        path: pathname,
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })
      const text = await answer.body.text()
      if (answer.statusCode !== 201) throw new Error(`the event was refused: ${answer.statusCode} ${text}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  await pool.close()
}
