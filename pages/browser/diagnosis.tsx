import type { JSX } from 'preact'
import type { SchemeData } from '../../fixtures/index.js'
import type { Diagnosis } from '../../harness/diagnose/index.js'
import { bodyOf, type Form } from './diagnose-form.js'
import { CopyButton, Sentence } from './parts.js'
import { visible } from './text.js'

interface Props {
  readonly diagnosis: Diagnosis
  readonly form: Form
  readonly schemes: readonly SchemeData[]
}

/** Whether a signature verifies, and if not, why: the likeliest cause first. */
export function DiagnosisView({ diagnosis, form, schemes }: Props): JSX.Element {
  const { verifies, causes, notes } = diagnosis
  return (
    <>
      <p class={verifies ? 'banner conformant' : 'banner nonconformant'}>
        <strong>{verdictOf(diagnosis)}</strong>
      </p>
      <ol class="causes">
        {causes.map(({ explanation, evidence, remedy }) => (
          <li>
            <p>
              <Sentence text={explanation} />
            </p>
            <dl>
              <dt>Evidence</dt>
              <dd>{visible(evidence)}</dd>
              <dt>Remedy</dt>
              <dd>
                <Remedy text={remedy} />
              </dd>
            </dl>
          </li>
        ))}
      </ol>
      {notes.map((note) => (
        <p class="small">Note: {visible(note)}.</p>
      ))}
      <p>
        <CopyButton text={issueText(diagnosis, form, schemes)} what="the diagnosis" label="Copy as issue text" />
      </p>
    </>
  )
}

/** A remedy: what to do, then the line to paste for each framework, if it has any. */
function Remedy({ text }: { readonly text: string }): JSX.Element {
  const [what = '', ...lines] = text.split('\n')
  return (
    <>
      <Sentence text={what} />
      {lines.length === 0 ? null : (
        <ul class="frameworks">
          {lines.map((line) => {
            const [framework = '', ...code] = line.split(': ')
            return (
              <li>
                {visible(framework)}: <code>{visible(code.join(': '))}</code>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}

function verdictOf({ verifies, secret, secrets }: Diagnosis): string {
  const which = secret === null || secrets === 1 ? '' : ` with secret ${secret} of ${secrets}`
  return verifies ? `The signature verifies${which}.` : `The signature does not verify${which}.`
}

/** Text for an issue, in Markdown: neither the secret nor the body is in it. */
function issueText(diagnosis: Diagnosis, form: Form, schemes: readonly SchemeData[]): string {
  const scheme = schemes.find(({ name }) => name === form.scheme)?.title ?? 'Standard Webhooks'
  const bytes = bodyOf(form)?.length
  const lines = [
    `**${verdictOf(diagnosis)}**`,
    '',
    `Scheme: ${scheme}${bytes === undefined ? '' : `, body of ${bytes} bytes`}`,
    ...diagnosis.causes.flatMap(({ explanation, evidence, remedy }, index) => [
      '',
      `${index + 1}. ${explanation}`,
      `   - Evidence: ${evidence}`,
      `   - Remedy: ${remedy.split('\n').join('\n     ')}`,
    ]),
    ...(diagnosis.notes.length === 0 ? [] : ['', ...diagnosis.notes.map((note) => `Note: ${note}.`)]),
    '',
    'Found by `conformance diagnose`.',
  ]
  const secrets = form.secret.split(/\s+/).filter((secret) => secret !== '')
  return secrets.reduce((text, secret) => text.replaceAll(secret, '(the secret)'), `${lines.join('\n')}\n`)
}
