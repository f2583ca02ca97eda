import { describe, expect, it } from 'vitest'
import { readMutants } from './read.js'

const text = `# Mistakes in time.

ends-late (RTY-001, DLV-005): the attempt
  goes on
`

describe('mutants as text', () => {
  it('are read with the code of their seams', () => {
    const [mutant, ...others] = readMutants(
      'server',
      `# A comment.

queues-twice (EVT-016, SND-001): message.queued is raised: twice
@@ mail/queued
+ if (email)
+   { $& }
+
@@ mail/mark-batches
`,
      'test.mutants',
    )
    const queued = "tell('message.queued', { to: email.to, cc: email.cc, subject: email.subject })"
    expect(others).toEqual([])
    expect(mutant).toEqual({
      id: 'server/queues-twice',
      title: 'message.queued is raised: twice',
      breaks: ['EVT-016', 'SND-001'],
      patch: [
        { file: 'server/mail.ts', find: queued, replace: `if (email)\n  { ${queued} }\n` },
        {
          file: 'server/mail.ts',
          find: 'inputs.map((input) => accept(input, key, now))',
          replace: 'inputs.map((input) => accept({ ...input, isOfBatch: inputs.length > 1 }, key, now))',
        },
      ],
    })
  })

  it('replace entries of the policy, with the names that they use', () => {
    const text = `keeps-ten (DLV-019): the snippet has ten characters
= snippet: (body) => policy.snippet(body).slice(0, size),
= snippetReadBytes: 10
`
    const policy = { snippet: (body: string) => `${body}!` }
    const [mutant] = readMutants('server', text, 'test.mutants', { policy, size: 10 })
    expect(mutant).toMatchObject({ id: 'server/keeps-ten', breaks: ['DLV-019'], policy: { snippetReadBytes: 10 } })
    expect(mutant?.policy?.snippet?.('a long answer', 200)).toBe('a long ans')
  })

  it.each([
    [
      'a requirement that does not exist',
      'a (RTY-999): late\n@@ mail/queued\n+ x',
      /expected "<id> \(<requirements>\)/,
    ],
    ['a head without a title', 'a (RTY-001)\n@@ mail/queued\n+ x', /expected "<id> \(<requirements>\)/],
    ['a title of two lines', text, /expected "<id> \(<requirements>\)/],
    ['an entry without its mark', 'a (RTY-001): late\n= snippet:\n  10', /a: expected "= <code>", got {3}10/],
    ['no change', 'a (RTY-001): late', /changes nothing/],
    ['a seam that does not exist', 'a (RTY-001): late\n@@ mail/nowhere\n+ x', /no seam mail\/nowhere/],
    ['a seam without a change, and no code', 'a (RTY-001): late\n@@ mail/queued', /no seam mail\/queued .* or none/],
    [
      'a line without its plus',
      'a (RTY-001): late\n@@ mail/queued\n+ x\ny',
      /a, mail\/queued: expected "\+ <code>", got y/,
    ],
  ])('with %s are an error', (_, given, message) => {
    expect(() => readMutants('server', given, 'test.mutants')).toThrow(message)
  })
})
