import { patchesOfServer, type Patch } from '../define.js'

const mail = 'server/mail.ts'
const handedOver = 'const recipients = [...email.to, ...email.cc, ...email.bcc].map((address) => {'

/** Each item of a batch is taken as `item`, an expression over it and over all of them. */
export function readsItemsAs(item: string): Patch {
  return {
    file: mail,
    find: 'inputs.map((input) => accept(input, key, now))',
    replace: `inputs.map((input) => accept(${item}, key, now))`,
  }
}

/** Deviations that show at one place, or in one form, of the emails of a batch. */
export const narrowBatchMutants = patchesOfServer([
  [
    'refuses-a-batch-of-one-as-its-item',
    'a batch of one bad email is refused without invalid_batch',
    ['SND-006'],
    {
      file: 'server/api/batch.ts',
      find: "code: 'invalid_batch'",
      replace: "code: size === 1 ? errors[0].code : 'invalid_batch'",
    },
  ],
  [
    'sends-a-batch-at-the-time-of-its-first-item',
    'if the first item of a batch is scheduled, all are sent then',
    ['SND-013', 'SND-016', 'SND-004'],
    readsItemsAs('{ ...input, scheduledAt: inputs[0].scheduledAt ?? input.scheduledAt }'),
  ],
  [
    'sends-scheduled-items-beside-a-bad-one-at-once',
    'scheduled items of a permissive batch with a bad item are sent at once',
    ['SND-013', 'SND-016'],
    {
      file: 'server/api/routes-emails.ts',
      find: 'policy.batchAnswer(mail.send(inputs, key), errors)',
      replace:
        'policy.batchAnswer(mail.send(errors.length > 0 ? inputs.map((input) => ({ ...input, scheduledAt: null })) : inputs, key), errors)',
    },
  ],
  [
    'leaves-copies-out-of-a-batch',
    'cc of the items of a batch is not read',
    ['EVT-003', 'EVT-004', 'EVT-005'],
    readsItemsAs('inputs.length > 1 ? { ...input, cc: [] } : input'),
  ],
  [
    'tells-the-first-in-cc-alone',
    'message.queued contains only the first of several cc addresses',
    ['EVT-004'],
    {
      file: mail,
      find: 'cc: email.cc, subject: email.subject',
      replace: 'cc: email.cc.slice(0, 1), subject: email.subject',
    },
  ],
  [
    'leaves-copies-out-of-scheduled-mail',
    'a scheduled email is handed over only to the recipients in to',
    ['EVT-003', 'EVT-005'],
    {
      file: mail,
      find: handedOver,
      replace: handedOver.replace('email.cc', '(email.scheduledAt === null ? email.cc : [])'),
    },
  ],
  [
    'receives-no-copies',
    'an inbox receives mail with its address in to, but not in cc',
    ['EVT-003'],
    { file: mail, find: 'if (inbox) {', replace: 'if (inbox && email.to.includes(address)) {' },
  ],
  [
    'delivers-to-the-first-in-cc-alone',
    'of several addresses in cc the first alone is handed over to',
    ['EVT-003', 'EVT-005'],
    {
      file: mail,
      find: handedOver,
      replace: handedOver.replace('email.cc', 'email.cc.slice(0, 1)'),
    },
  ],
  [
    'hands-over-to-five-at-most',
    'of more than five addresses in `to` the others are forgotten',
    ['EVT-003', 'EVT-005'],
    { file: mail, find: handedOver, replace: handedOver.replace('...email.to,', '...email.to.slice(0, 5),') },
  ],
])
