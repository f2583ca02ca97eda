import { parsedEvent } from '../../../reference/client/verify-webhook.js'
import { defineMutant, type Mutant } from '../define.js'

const breaks = ['CLI-048', 'CLI-051'] as const

type Data = Record<string, unknown>

/** What becomes of the data of one type. */
const events: readonly (readonly [name: string, title: string, type: string, change: (data: Data) => Data])[] = [
  [
    'returns-bounces-without-permanent',
    'returns bounces without permanent',
    'message.bounced',
    ({ permanent: _permanent, ...others }) => others,
  ],
  [
    'returns-pauses-without-stats',
    'returns pauses without stats',
    'sending.paused',
    ({ stats: _stats, ...others }) => others,
  ],
  [
    'returns-the-first-recipient-of-a-queued-message',
    'returns queued messages with the first of their recipients',
    'message.queued',
    (data) => ({ ...data, to: Array.isArray(data['to']) ? (data['to'] as unknown[])[0] : data['to'] }),
  ],
  [
    'stumbles-over-failures-with-a-reason',
    'throws for a message.failed with a reason instead of a recipient',
    'message.failed',
    (data) => {
      if (data['recipient'] === undefined) throw new TypeError('recipient is undefined')
      return data
    },
  ],
]

/** Mistakes of `verifyWebhook` at one type of event. */
export const narrowVerificationMutants: readonly Mutant<'client'>[] = events.map(([name, title, type, change]) =>
  defineMutant({
    id: `client/${name}`,
    title: `verifyWebhook ${title}`,
    breaks,
    policy: {
      verifiedEvent: (payload) => {
        const event = parsedEvent(payload) as { readonly type: string; readonly data: Data }
        return event.type === type ? { ...event, data: change(event.data) } : event
      },
    },
  }),
)
