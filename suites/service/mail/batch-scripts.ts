// SND-004  "`POST /v1/emails/batch` takes an array of up to 100 email objects and answers `{ data, errors? }`."
// SND-002  "`from` may be written as a display name followed by an address in angle brackets."
//
// Scripts of batches: each item is an email of its own.

import { mailCase } from '../shared/mail-run.js'
import { batch } from '../shared/mail-script.js'

export const batchScripts = [
  mailCase({
    id: 'service/batches/sends-a-batch',
    requirements: ['SND-004'],
    decides: ['SND-004'],
    title: 'an array of emails gets one entry for each, and each is sent once',
    script: [batch([{}, {}, {}])],
  }),

  mailCase({
    id: 'service/batches/sends-items-that-are-alike',
    requirements: ['SND-004'],
    title: 'two equal items of a batch are two emails, with an entry each',
    script: [batch([{}, { isAlike: true }, {}])],
  }),

  mailCase({
    id: 'service/batches/takes-emails-of-every-form',
    requirements: ['SND-004', 'SND-002'],
    title: 'a batch accepts html instead of text, and from with or without a name',
    script: [batch([{ isHtml: true }, {}]), batch([{}, { name: 'Conformance' }])],
  }),

  mailCase({
    id: 'service/batches/sends-a-batch-of-one',
    requirements: ['SND-004'],
    title: 'a batch of one email gets an array of one entry, and is sent once',
    script: [batch([{}])],
  }),
]
