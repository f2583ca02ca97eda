import { senderPolicy } from '../../../reference/sender/index.js'
import { defineMutant, type Mutant } from '../define.js'

const { body, headerTimestamp, isSuccess } = senderPolicy

/** Deviations in the attempts of one type of event, or after one kind of broken connection or answer. */
export const narrowConditions: readonly Mutant<'sender'>[] = [
  defineMutant({
    id: 'sender/rebuilds-a-retry-from-the-message',
    title: 'a retry contains the current status of the message',
    breaks: ['SDR-031'],
    policy: {
      body: (facts) => {
        const { event, number } = facts
        const isMoved = number > 1 && event.type.startsWith('message.') && 'status' in event.data
        return body(isMoved ? { ...facts, event: { ...event, data: { ...event.data, status: 'archived' } } } : facts)
      },
    },
  }),
  defineMutant({
    id: 'sender/renames-a-retry-of-the-workspace',
    title: 'a retry of an event of the workspace has its own id',
    breaks: ['SDR-029'],
    policy: {
      headerId: ({ event, number }) =>
        number > 1 && event.type.startsWith('sending.') ? `${event.id}_${number}` : event.id,
    },
  }),
  defineMutant({
    id: 'sender/signs-a-queued-email-once',
    title: 'a retry of message.queued carries the timestamp and signature of the first attempt',
    breaks: ['SDR-030'],
    policy: {
      headerTimestamp: (facts) =>
        headerTimestamp(
          facts.event.type === 'message.queued' ? { ...facts, now: Date.parse(facts.event.timestamp) } : facts,
        ),
    },
  }),
  ...([416, 418, 430, 498] as const).map((code) =>
    defineMutant({
      id: `sender/retries-no-${code}`,
      title: `a delivery that gets a ${code} is not repeated`,
      breaks: ['SDR-025'],
      policy: { retries: (end) => end.kind !== 'answered' || end.status !== code },
    }),
  ),
  ...([509, 525, 529] as const).map((code) =>
    defineMutant({
      id: `sender/retries-no-${code}`,
      title: `a delivery that gets a ${code} is not repeated`,
      breaks: ['SDR-026'],
      policy: { retries: (end) => end.kind !== 'answered' || end.status !== code },
    }),
  ),
  ...([305, 399] as const).map((code) =>
    defineMutant({
      id: `sender/takes-a-${code}`,
      title: `a ${code} ends a delivery, as a 2xx does`,
      breaks: ['SDR-024'],
      policy: { isSuccess: (end) => end.kind === 'answered' && (end.status === code || isSuccess(end)) },
    }),
  ),
  defineMutant({
    id: 'sender/knows-the-registered-successes',
    title: 'accepts only registered 2xx as success, not 218 or 250',
    breaks: ['SDR-020'],
    policy: { isSuccess: (end) => isSuccess(end) && end.kind === 'answered' && ![218, 250].includes(end.status) },
  }),
]
