import { defineMutant, type Mutant } from '../define.js'

const recorder = 'server/recorder.ts'

/** Deviations for missing and empty values and for times: an unknown name, an empty text on one channel, half a minute. */
export const narrowTimeMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/keeps-known-names-of-a-filter',
    title: 'drops unknown event types of a filter, and selects everything if none remains',
    breaks: ['WHK-009'],
    patch: [
      {
        file: 'server/policy/webhooks.ts',
        find: 'storedEventTypes: (asked) => asked ?? []',
        replace:
          "storedEventTypes: (asked) => (asked ?? []).filter((type) => type === '*' || !type.startsWith('message.') || /^message\\.(received|queued|delivered|deferred|bounced|complained|failed)$/.test(type))",
      },
    ],
  }),
  defineMutant({
    id: 'server/keeps-webhooks-until-a-key-of-the-org-makes-one',
    title: 'webhooks are cached per type until an org key creates one',
    breaks: ['WHK-021', 'SCOPE-003'],
    patch: [
      {
        file: recorder,
        find: 'const matching = webhooks.ofOrg(event.orgId).filter(',
        replace: `const all = webhooks.ofOrg(event.orgId)
    const kept = (webhooks.kept ??= new Map())
    const name = event.orgId + ' ' + event.type
    const whole = all.filter((webhook) => webhook.inboxId === null).length
    if (kept.get(name)?.whole !== whole) kept.set(name, { whole, ids: new Set(all.map((webhook) => webhook.id)) })
    const matching = all.filter((webhook) => kept.get(name).ids.has(webhook.id)).filter(`,
      },
    ],
  }),
  defineMutant({
    id: 'server/lists-the-day-of-workspace-events',
    title: 'created_at of an event of the workspace is the beginning of its day',
    breaks: ['POL-009'],
    patch: [
      {
        file: 'server/store/event-store.ts',
        find: 'sequence, listed(event))',
        replace:
          "sequence, listed(event.type.startsWith('sending.') ? { ...event, time: event.time.slice(0, 10) + 'T00:00:00.000Z' } : event))",
      },
    ],
  }),
  defineMutant({
    id: 'server/resumes-without-empty-lists',
    title: 'the backlog of a stream leaves empty lists out of data',
    breaks: ['EVT-014', 'STR-003'],
    patch: [
      {
        file: 'server/store/event-store.ts',
        find: 'return statement.all(...values).map(toEvent)',
        replace:
          'return statement.all(...values).map(toEvent).map((event) => ({ ...event, dataJson: JSON.stringify(JSON.parse(event.dataJson), (_, value) => Array.isArray(value) && value.length === 0 ? undefined : value) }))',
      },
    ],
  }),
  defineMutant({
    id: 'server/resumes-without-empty-texts',
    title: 'the backlog of a stream leaves empty strings out of data',
    breaks: ['EVT-014', 'STR-003'],
    patch: [
      {
        file: 'server/store/event-store.ts',
        find: 'return statement.all(...values).map(toEvent)',
        replace:
          "return statement.all(...values).map(toEvent).map((event) => ({ ...event, dataJson: JSON.stringify(JSON.parse(event.dataJson), (_, value) => value === '' ? undefined : value) }))",
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-what-is-due-within-half-a-minute',
    title: 'scheduled emails are sent up to half a minute early',
    breaks: ['SND-013', 'SND-010'],
    policy: { sendTime: (at, now) => (at === null ? now : at - 30_000) },
  }),
  defineMutant({
    id: 'server/moves-mail-to-the-minute-before',
    title: 'a reschedule cuts its time to the minute, so the email is early',
    breaks: ['SND-010', 'SND-013'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'emails.update({ ...email, scheduledAt }, policy.sendTime(scheduledAt, queues.now(email.workspaceId)))',
        replace:
          'emails.update({ ...email, scheduledAt: scheduledAt - (scheduledAt % 60_000) }, policy.sendTime(scheduledAt - (scheduledAt % 60_000), queues.now(email.workspaceId)))',
      },
    ],
  }),
  defineMutant({
    id: 'server/moves-mail-half-a-minute-too-little',
    title: 'a rescheduled email is sent half a minute before its new time',
    breaks: ['SND-010'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'policy.sendTime(scheduledAt, queues.now(email.workspaceId))',
        replace: 'policy.sendTime(scheduledAt - 30_000, queues.now(email.workspaceId))',
      },
    ],
  }),
  defineMutant({
    id: 'server/tells-each-fault-of-an-item',
    title: 'errors of invalid_batch has an entry for each fault of an item',
    breaks: ['SND-006'],
    patch: [
      {
        file: 'server/api/batch.ts',
        find: 'errors.push({ index, code: error.code, message: error.message })',
        replace: `errors.push({ index, code: error.code, message: error.message })
      if (item?.subject === undefined) errors.push({ index, code: error.code, message: 'subject is missing.' })`,
      },
    ],
  }),
  defineMutant({
    id: 'server/shows-a-batch-with-the-recipients-of-the-first',
    title: 'each email of a batch is shown with the recipients of the first',
    breaks: ['SND-007'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'inputs.map((input) => accept(input, key, now))',
        replace: 'inputs.map((input) => accept({ ...input, shownTo: inputs[0].to }, key, now))',
      },
      {
        file: 'server/policy/emails.ts',
        find: 'recipients: email.recipients',
        replace: 'recipients: email.shownTo?.map((address) => ({ address, status: email.status })) ?? email.recipients',
      },
    ],
  }),
]
