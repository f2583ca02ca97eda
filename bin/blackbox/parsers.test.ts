// Any contents of a file that a user names: it is read, or refused with the name of the file, and nothing else is touched.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { judgeFiles, readDeliveries, TrafficJudge } from '../../harness/observe/index.js'
import { checkVectorFile } from '../../harness/vectors/index.js'
import { readKnownFailures } from '../run/known-failures-file.js'
import { openState } from '../run/state-file.js'
import { readJournal } from '../run/read-journal.js'
import { readReport } from '../report/read-report.js'
import { schemeNamed } from '../cli/scheme.js'
import { readSettings } from '../cli/settings.js'

/** Inputs for each parser; `npm run lab -- attack` uses more. */
const inputs = Number(process.env['FUZZ_INPUTS'] ?? 40)

const folder = mkdtempSync(join(tmpdir(), 'parsers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'document.yaml')

/** Pieces such documents are made of, and pieces that have harmed parsers. */
const piece = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '- ',
  '\n',
  '\n  ',
  '"',
  "'",
  '|',
  '>',
  '&a ',
  '*a ',
  '!!js ',
  '<<: ',
  '---\n',
  '# ',
  '__proto__',
  'constructor',
  'base_url',
  'case',
  'reason',
  'until',
  'inboxes',
  'triggers',
  'groups',
  'tests',
  'schema',
  'conformance-report/1',
  'signature-vectors/1',
  '{"format":"conformance-capture/1"}\n',
  '{"kind":"exchange","at":"',
  '{"log":{"entries":[',
  '{"journal":2,"base_url":"https://a.example","mark":"abcdefghij"}\n{"made":',
  'signature:\n  header: x\n  entry: ',
  '${HOME}',
  '${',
  '${__proto__}',
  '1e999',
  '-0',
  '\ud800',
  '\u0000',
  '\ufeff',
)
const key = fc.oneof(piece, fc.string({ maxLength: 5 }))
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, '', 'https://a.example', 'conformance-report/1', 'signature-vectors/1'),
    key,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(key, tie('any'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).any
const bytes = fc.oneof(
  fc.array(piece, { maxLength: 30 }).map((pieces) => Buffer.from(pieces.join(''))),
  value.map((value) => Buffer.from(JSON.stringify(value))),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
)

const traffic = { paths: [file], address: undefined, secrets: [], onNote: () => undefined }
const readers: Readonly<Record<string, () => unknown>> = {
  configuration: () => readSettings('run', { config: file }, { isService: true }),
  'known failures': () => readKnownFailures(file, []),
  report: () => readReport(file),
  vectors: () => checkVectorFile(file),
  'signature scheme': () => schemeNamed('--scheme', file),
  journal: () => readJournal(file),
  'state of a run': () => openState(file, { baseUrl: 'https://a.example', resumable: new Set() }),
  'traffic and captures': () => judgeFiles(new TrafficJudge(), traffic),
  'recorded deliveries': () => readDeliveries({ paths: [file], isDelivery: () => true, onNote: () => undefined }),
}

test.each(Object.entries(readers))('%s: any text is read or refused by name', async (_, read) => {
  const members = Object.getOwnPropertyNames(Object.prototype)
  await fc.assert(
    fc.asyncProperty(bytes, async (content) => {
      writeFileSync(file, content)
      try {
        await read()
      } catch (error) {
        if (!(error instanceof Error && ['FileProblem', 'UsageError'].includes(error.name))) throw error
        expect(error.message).toContain(file)
      }
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(members)
    }),
    { numRuns: inputs },
  )
})
