// What a service makes of texts that the interface does not speak of.
import type { ServerVariant } from './server-variant.js'

/** Where the server refuses a subject of several lines. */
const lineOfSubject = {
  file: 'server/api/email-input.ts',
  find: String.raw`if (/[\r\n]/.test(subject)) throw invalidRequest('subject has a line break.', 'Send subject as one line.')`,
}

export const textVariants: readonly ServerVariant[] = [
  {
    id: 'server/subjects-of-several-lines',
    title: 'takes a subject with line breaks, as it is',
    openPoints: ['texts-of-mail'],
    policy: {},
    patch: [{ ...lineOfSubject, replace: '' }],
  },
  {
    id: 'server/subjects-on-one-line',
    title: 'writes the control characters of a subject as blanks, and trims it',
    openPoints: ['texts-of-mail'],
    policy: {},
    patch: [
      { ...lineOfSubject, replace: '' },
      {
        file: 'server/api/email-input.ts',
        find: "const subject = text(fields, 'subject')",
        replace: String.raw`const subject = text(fields, 'subject').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim().toWellFormed()`,
      },
    ],
  },
]
