import { defineMutant, type Mutant, type Patch } from '../define.js'

/** Marks an email that was in a batch. */
const remembersTheBatch: Patch = {
  file: 'server/mail.ts',
  find: 'inputs.map((input) => accept(input, key, now))',
  replace: 'inputs.map((input) => accept({ ...input, isOfBatch: inputs.length > 1 }, key, now))',
}

/** Deviations in one detail of who sees an event, and when: while sending is paused, of a batch, by the key of an inbox. */
export const narrowEventChannelMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/streams-no-mail-of-a-batch',
    title: 'events of batch items are not streamed, except message.queued',
    breaks: ['EVT-014'],
    patch: [
      remembersTheBatch,
      {
        file: 'server/mail.ts',
        find: 'recorder.raise({ orgId, type, data: { ...ids, ...data }, at })',
        replace: 'recorder.raise({ orgId, type, data: { ...ids, ...data }, at, isQuiet: email.isOfBatch })',
      },
      {
        file: 'server/recorder.ts',
        find: 'publish(record)',
        replace: "(event.isQuiet && event.type !== 'message.queued') || publish(record)",
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-no-delivery-in-the-house',
    title: 'message.delivered of mail to an inbox of the service is not streamed',
    breaks: ['EVT-014'],
    patch: [
      remembersTheBatch,
      {
        file: 'server/mail.ts',
        find: 'recorder.raise({ orgId, type, data: { ...ids, ...data }, at })',
        replace:
          "recorder.raise({ orgId, type, data: { ...ids, ...data }, at, isQuiet: type === 'message.delivered' && !email.isOfBatch && email.scheduledAt === null && directory.inboxAt(data.recipient) !== undefined })",
      },
      {
        file: 'server/recorder.ts',
        find: 'publish(record)',
        replace: 'event.isQuiet || publish(record)',
      },
    ],
  }),
  defineMutant({
    id: 'server/replays-nothing-while-paused',
    title: 'while sending is paused no delivery can be replayed',
    breaks: ['RPL-005'],
    patch: [
      {
        file: 'server/api/routes-deliveries.ts',
        find: 'const now = queues.now(webhook.workspaceId)',
        replace: `const now = queues.now(webhook.workspaceId)
if (services.directory.workspace(webhook.workspaceId)?.sending === 'paused')
  throw new ApiError({ status: 409, code: 'sending_paused', message: 'Sending is paused.', fix: 'Wait.' })`,
      },
    ],
  }),
  defineMutant({
    id: 'server/retries-with-the-status-of-now',
    title: 'a retried workspace event has the status at the time of the retry',
    breaks: ['RTY-014', 'RPL-002'],
    patch: [
      {
        file: 'server/sending.ts',
        find: 'directory.setSending(workspaceId, status)',
        replace:
          'directory.setSending(workspaceId, status); (ownState.sendingOf ??= new Map()).set(workspaceId, status)',
      },
      {
        file: 'server/engine/attempts.ts',
        find: 'const body = bodyOf(event)',
        replace:
          'const body = bodyOf(event.type.startsWith("sending.") && ownState.sendingOf?.has(webhook.workspaceId) ? { ...event, dataJson: JSON.stringify({ ...JSON.parse(event.dataJson), status: ownState.sendingOf.get(webhook.workspaceId) }) } : event)',
      },
    ],
  }),
  defineMutant({
    id: 'server/lists-the-status-of-now',
    title: 'a resumed stream shows a pause with the current status of the workspace',
    breaks: ['EVT-014'],
    patch: [
      {
        file: 'server/sending.ts',
        find: 'directory.setSending(workspaceId, status)',
        replace:
          'directory.setSending(workspaceId, status); (ownState.sendingOf ??= new Map()).set(workspaceId, status)',
      },
      {
        file: 'server/stream.ts',
        find: 'for (const event of page) send(client, frameOf(event))',
        replace:
          'for (const event of page) send(client, frameOf(event.type.startsWith(\'sending.\') && ownState.sendingOf?.has(key.workspaceId) ? { ...event, dataJson: event.dataJson.replace(/"status":"[a-z]*"/, `"status":"${ownState.sendingOf.get(key.workspaceId)}"`) } : event))',
      },
    ],
  }),
  defineMutant({
    id: 'server/keeps-small-first-results',
    title: 'a first result of more than two thousand letters is not kept',
    breaks: ['IDM-005'],
    patch: [
      {
        file: 'server/store/first-results.ts',
        find: 'if (request !== undefined) insert.run(',
        replace: 'if (request !== undefined && JSON.stringify(answer).length <= 2_000) insert.run(',
      },
    ],
  }),
  defineMutant({
    id: 'server/queues-nothing-for-the-key-of-an-inbox',
    title: 'message.queued is not raised for an email that the key of an inbox sends',
    breaks: ['EVT-004', 'EVT-016'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'inputs.map((input) => accept(input, key, now))',
        replace: 'inputs.map((input) => accept({ ...input, isOfInbox: key.inboxId !== null }, key, now))',
      },
      {
        file: 'server/mail.ts',
        find: "tell('message.queued', { to: email.to, cc: email.cc, subject: email.subject })",
        replace: "if (!email.isOfInbox) tell('message.queued', { to: email.to, cc: email.cc, subject: email.subject })",
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-a-scheduled-email-to-one',
    title: 'of several recipients of a scheduled email only the first gets it',
    breaks: ['EVT-003', 'EVT-005', 'EVT-016'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'emails.update(isPaused(workspaceId) ? fail(email, at) : dispatch(email, at), null)',
        replace:
          'emails.update(isPaused(workspaceId) ? fail(email, at) : dispatch({ ...email, to: email.to.slice(0, 1) }, at), null)',
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-an-item-of-a-batch-to-one',
    title: 'of several recipients of an item of a batch only the first gets it',
    breaks: ['EVT-003', 'EVT-005', 'EVT-016'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'inputs.map((input) => accept(input, key, now))',
        replace:
          'inputs.map((input) => accept(inputs.length > 1 ? { ...input, to: input.to.slice(0, 1) } : input, key, now))',
      },
    ],
  }),
  defineMutant({
    id: 'server/schedules-text-alone',
    title: 'a scheduled email has text, or is refused',
    breaks: ['SND-001', 'SND-016'],
    patch: [
      {
        file: 'server/api/email-input.ts',
        find: 'if (html === null && plain === null)',
        replace: "if (plain === null && (html === null || fields['scheduled_at']))",
      },
    ],
  }),
  defineMutant({
    id: 'server/queues-a-message-for-its-first-recipient',
    title: 'to of message.queued is the first of several recipients',
    breaks: ['EVT-004'],
    patch: [{ file: 'server/mail.ts', find: '{ to: email.to, cc:', replace: '{ to: email.to.slice(0, 1), cc:' }],
  }),
  ...(
    [
      ['message', 'newMessageId().id'],
      ['thread', 'randomId(idPrefixes.thread)'],
    ] as const
  ).map(([name, id]) =>
    defineMutant({
      id: `server/has-a-${name}-for-each-event-of-an-email`,
      title: `later events of an email have another ${name}_id than its message.queued`,
      breaks: ['EVT-005'],
      patch: [
        {
          file: 'server/mail.ts',
          find: 'recorder.raise({ orgId, type, data: { ...ids, ...data }, at })',
          replace: `const own = type === 'message.queued' ? {} : { ${name}_id: ${id} }
recorder.raise({ orgId, type, data: { ...ids, ...own, ...data }, at })`,
        },
      ],
    }),
  ),
  defineMutant({
    id: 'server/receives-the-subject-of-the-thread',
    title: 'message.received contains the subject without Re:',
    breaks: ['EVT-003'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'from: email.from, subject: email.subject',
        replace: "from: email.from, subject: email.subject.replace(/^re:\\s*/i, '')",
      },
    ],
  }),
  defineMutant({
    id: 'server/tells-when-it-was-first-paused',
    title: 'each sending.paused of a workspace contains the time of the first pause',
    breaks: ['EVT-010'],
    patch: [
      {
        file: 'server/sending.ts',
        find: 'paused_at: new Date(at).toISOString()',
        replace: 'paused_at: ((ownState.firstPauses ??= {})[workspaceId] ??= new Date(at).toISOString())',
      },
    ],
  }),
  defineMutant({
    id: 'server/tells-why-it-was-first-paused',
    title: 'each sending.paused of a workspace contains the reason of the first pause',
    breaks: ['EVT-010'],
    patch: [
      {
        file: 'server/sending.ts',
        find: "reason: reason ?? 'bounce_rate'",
        replace: "reason: ((ownState.firstReasons ??= {})[workspaceId] ??= reason ?? 'bounce_rate')",
      },
    ],
  }),
  defineMutant({
    id: 'server/tells-no-fix-while-sending-is-paused',
    title: 'refuses a send while sending is paused, without a fix',
    breaks: ['ERR-001'],
    patch: [
      {
        file: 'server/mail.ts',
        find: "fix: 'Wait until sending is resumed, or contact support.'",
        replace: "fix: ''",
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-behind-a-cursor-as-it-is-written',
    title: 'the stream uses after without percent-decoding it',
    breaks: ['STR-005'],
    patch: [
      {
        file: 'server/stream.ts',
        find: "url.searchParams.get('after') ?? undefined",
        replace: '/[?&]after=([^&]*)/.exec(text)?.[1]',
      },
    ],
  }),
]
