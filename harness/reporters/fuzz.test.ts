// Whatever texts a report is made of, no reporter lets one of them steer a terminal, a build log, a page or a test result.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Report } from '../result.js'
import { hostileText, sampleReport } from '../testing/sample-report.js'
import { badges, reporters, type CreateReporter } from './index.js'
import { tries } from '../testing/fuzz.js'

/** What begins something in one of the formats. */
const piece = fc.oneof(
  fc.constantFrom(
    '\n',
    '\r',
    '\n\n',
    '\u0085',
    '\u2028',
    '  ',
    '\t',
    '`',
    '```',
    '~~~',
    '|',
    '\\',
    '%0A',
    '&lt;',
    '&#10;',
  ),
  fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '</',
    '<!--',
    '-->',
    ']]>',
    '<![CDATA[',
    '</script>',
    '<script>',
    '<img src=x onerror=a()>',
  ),
  fc.constantFrom(
    '</failure>',
    '</testcase>',
    '<testcase name="x"/>',
    '</details>',
    '</title>',
    '</text>',
    'javascript:a()',
  ),
  fc.constantFrom('::error::x', '::set-output name=a::b', '##[error]x', '##vso[task.complete]', '::stop-commands::x'),
  fc.constantFrom(
    'ok 9',
    'not ok 9',
    '1..0',
    'Bail out!',
    '# SKIP',
    '# TODO',
    '---',
    '...',
    '# a',
    '- a',
    '[a](b)',
    '![a](b)',
  ),
  fc.constantFrom('\u001b[2J', '\u009b31m', '\u0007', '\u0000', '\u202e', '\ud800', '\u200f'),
  fc.string({ maxLength: 4 }),
)
const text = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''))

/** Returns the sample with `value` instead of every text that a target, a user or a file may have written. */
function reportOf(value: string): Report {
  return JSON.parse(JSON.stringify(sampleReport()), (_, member: unknown) =>
    typeof member === 'string' ? member.replaceAll(hostileText, () => value) : member,
  ) as Report
}

function rendered(create: CreateReporter, report: Report): string {
  let out = ''
  const reporter = create(
    { write: (part: string) => void (out += part), isTerminal: false, colour: false },
    { verbosity: 'normal' },
  )
  reporter.onRunStart?.({ subject: report.subject, cases: report.cases.length, seed: report.seed })
  for (const result of report.cases) reporter.onCaseEnd?.(result)
  reporter.onRunEnd?.(report)
  return out
}

const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029]|[\ud800-\udbff](?![\udc00-\udfff])/
/** What a format is made of: a text may add to none of it. */
const structure: Readonly<Record<string, readonly RegExp[]>> = {
  pretty: [/^Cases/gm, /^Verdict/gm, /^\s*(?:::\w|##\w*\[)/gm],
  json: [/^\s*(?:::\w|##\w*\[)/gm],
  junit: [/<testcase\b/g, /<\/testcase>/g, /<failure\b/g, /<error\b/g, /<skipped\b/g, /<script|<img|<!/gi],
  ctrf: [/^\s*(?:::\w|##\w*\[)/gm],
  html: [/<script\b/gi, /<\/script/gi, /<img\b/gi, /<!--/g, /<testcase|<failure/g, /<[^>]*\shref="?\s*javascript:/gi],
  markdown: [/<(?!\/?(?:details|summary|br|code|pre|sub)\b)[a-z!/]/gi, /^\s*(?:::\w|##\w*\[)/gm],
  github: [/^::/gm, /^\s*##\w*\[/gm],
  tap: [/^(?:not )?ok\b/gm, /^1\.\./gm, /^Bail out!/gim],
  svg: [/</g],
}

const every: Readonly<Record<string, CreateReporter>> = { ...reporters, svg: badges.svg }

test.each(Object.entries(every))('%s', (name, create) => {
  const counts = (out: string) =>
    (structure[name] ?? []).map((pattern) => `${pattern}: ${out.match(pattern)?.length ?? 0}`)
  const plain = counts(rendered(create, reportOf('plain')))
  fc.assert(
    fc.property(text, (value) => {
      const out = rendered(create, reportOf(value))
      expect(out).not.toMatch(control)
      expect(counts(out)).toEqual(plain)
    }),
    tries(40),
  )
})
