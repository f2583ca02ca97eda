import { defaultPolicy } from '../../../reference/server/index.js'
import { defineMutant, type Mutant } from '../define.js'

/** Deviations in mail that is sent later, moved or cancelled. */
export const scheduleMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/reschedules-without-object',
    title: 'a reschedule answers only the id',
    breaks: ['SND-010'],
    policy: {
      rescheduleAnswer: (id) => ({ status: 200, body: { id } }),
    },
  }),
  defineMutant({
    id: 'server/does-not-move-a-rescheduled-email',
    title: 'a rescheduled email is sent at its first time',
    breaks: ['SND-010', 'SND-013'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'emails.update({ ...email, scheduledAt }, policy.sendTime(scheduledAt, queues.now(email.workspaceId)))',
        replace: '',
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-scheduled-emails-at-once',
    title: 'scheduled_at is not obeyed',
    breaks: ['SND-013'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'const sendAt = policy.sendTime(scheduledAt, clockNow)',
        replace: 'const sendAt = clockNow',
      },
    ],
  }),
  defineMutant({
    id: 'server/never-sends-scheduled-emails',
    title: 'a scheduled email is never sent',
    breaks: ['SND-016'],
    policy: { sendTime: (scheduled, now) => (scheduled === null ? now : now + 315_360_000_000) },
  }),
  defineMutant({
    id: 'server/hides-the-time-of-scheduled-emails',
    title: 'an email is shown without its scheduled_at',
    breaks: ['SND-018'],
    policy: {
      shownEmail: (email) => ({ ...defaultPolicy.shownEmail(email), scheduled_at: undefined }),
    },
  }),
  defineMutant({
    id: 'server/shows-another-time-of-scheduled-emails',
    title: 'scheduled_at is shown in another zone, as UTC',
    breaks: ['SND-018'],
    policy: {
      shownEmail: (email) => ({
        ...defaultPolicy.shownEmail(email),
        scheduled_at: email.scheduledAt === null ? null : new Date(email.scheduledAt + 7_200_000).toISOString(),
      }),
    },
  }),
  defineMutant({
    id: 'server/sends-mail-moved-earlier-at-its-first-time',
    title: 'an email rescheduled to an earlier time is sent at its first time',
    breaks: ['SND-016', 'SND-010'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'policy.sendTime(scheduledAt, queues.now(email.workspaceId))',
        replace: 'Math.max(email.scheduledAt ?? 0, policy.sendTime(scheduledAt, queues.now(email.workspaceId)))',
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-a-rescheduled-email-at-both-times',
    title: 'a reschedule leaves the first time in the queue',
    breaks: ['SND-016', 'SND-013'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'emails.update({ ...email, scheduledAt },',
        replace: `const copy = newMessageId()
emails.insert({ ...email, id: copy.id }, copy.sequence, email.scheduledAt)
emails.update({ ...email, scheduledAt },`,
      },
    ],
  }),
  defineMutant({
    id: 'server/cancels-in-place-of-rescheduling',
    title: 'a rescheduled email is never sent',
    breaks: ['SND-016', 'SND-010'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'policy.sendTime(scheduledAt, queues.now(email.workspaceId))',
        replace: 'null',
      },
    ],
  }),
  defineMutant({
    id: 'server/moves-no-email-to-an-earlier-time',
    title: 'an email rescheduled to an earlier time is sent at both times',
    breaks: ['SND-016', 'SND-013'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'emails.update({ ...email, scheduledAt },',
        replace: `if (scheduledAt < email.scheduledAt) {
  const copy = newMessageId()
  emails.insert({ ...email, id: copy.id }, copy.sequence, email.scheduledAt)
}
emails.update({ ...email, scheduledAt },`,
      },
    ],
  }),
  defineMutant({
    id: 'server/shows-the-first-time-of-a-rescheduled-email',
    title: 'scheduled_at stays what it was when an email is rescheduled',
    breaks: ['SND-018'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'emails.update({ ...email, scheduledAt },',
        replace: 'emails.update({ ...email },',
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-again-what-is-rescheduled-too-late',
    title: 'an email that was sent and is rescheduled is sent a second time',
    breaks: ['SND-016'],
    patch: [
      {
        file: 'server/mail.ts',
        find: "if (!isInTime(email, 'rescheduled')) return",
        replace: '',
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-at-once-what-has-no-readable-time',
    title: 'reads an invalid scheduled_at as now',
    breaks: ['SND-017'],
    patch: [
      {
        file: 'server/api/email-input.ts',
        find: 'instantOf(value) :',
        replace: 'instantOf(value) ?? Date.now() :',
      },
    ],
  }),
  defineMutant({
    id: 'server/reschedules-without-the-offset',
    title: 'a reschedule reads the time that is written, and not its offset from UTC',
    breaks: ['SND-010', 'SND-018'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: "readInstant(body['scheduled_at'])",
        replace: "readInstant(String(body['scheduled_at']).replace(/[+-]\\d\\d:\\d\\d$/, 'Z'))",
      },
    ],
  }),
  defineMutant({
    id: 'server/reads-times-of-three-decimals',
    title: 'a scheduled_at must have three decimals of a second, or none',
    breaks: ['SND-013', 'SND-010'],
    patch: [
      {
        file: 'server/api/email-input.ts',
        find: 'instantOf(value) :',
        replace: '(/\\.(?!\\d{3}(?!\\d))/.test(value) ? undefined : instantOf(value)) :',
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-scheduled-mail-to-webhooks-of-the-time-it-was-taken',
    title: 'the webhooks of a scheduled email are looked up when it is accepted',
    breaks: ['EVT-014'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'const isLater = sendAt > clockNow',
        replace: `const isLater = sendAt > clockNow
    if (isLater) (ownState.takenAt ??= new Map()).set(id, performance.now())`,
      },
      {
        file: 'server/api/routes-webhooks.ts',
        find: 'return reply({ status: policy.webhookCreatedStatus,',
        replace: `(ownState.madeAt ??= new Map()).set(webhook.id, performance.now())
    return reply({ status: policy.webhookCreatedStatus,`,
      },
      {
        file: 'server/recorder.ts',
        find: '!webhook.isDeleted &&',
        replace:
          '!webhook.isDeleted && !(ownState.madeAt?.get(webhook.id) > ownState.takenAt?.get(JSON.parse(event.dataJson).message_id)) &&',
      },
    ],
  }),
  defineMutant({
    id: 'server/cancels-nothing-a-week-ahead',
    title: 'a cancelled email that is due in more than a week is sent anyway',
    breaks: ['SND-014'],
    patch: [
      {
        file: 'server/mail.ts',
        find: "emails.update({ ...email, status: 'canceled', recipients }, null)",
        replace:
          "emails.update({ ...email, status: 'canceled', recipients }, email.scheduledAt > queues.now(email.workspaceId) + 604_800_000 ? policy.sendTime(email.scheduledAt, queues.now(email.workspaceId)) : null)",
      },
    ],
  }),
  defineMutant({
    id: 'server/moves-nothing-from-a-week-ahead',
    title: 'a rescheduled email that is due in more than a week is sent at its first time',
    breaks: ['SND-016'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'policy.sendTime(scheduledAt, queues.now(email.workspaceId))',
        replace:
          'policy.sendTime(email.scheduledAt > queues.now(email.workspaceId) + 604_800_000 ? email.scheduledAt : scheduledAt, queues.now(email.workspaceId))',
      },
    ],
  }),
]
