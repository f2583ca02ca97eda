import type { JSX } from 'preact'
import type { CaseResult } from '../../harness/result.js'
import type { AnnotatedSentence, Reader } from '../data.js'
import { Checks } from './checks.js'
import { Exchanges } from './exchanges.js'
import { Copyable, Opening, Sentence, Status } from './parts.js'
import { requirementWord } from './requirements.js'
import type { Findings, Found } from './sentence-status.js'
import { counted, visible } from './text.js'

/** Cases of one requirement that are named; a verifier has hundreds of vectors. */
const maxCases = 12

type AnnotatedRequirement = AnnotatedSentence['requirements'][number]

interface SentenceDetailProps {
  readonly sentence: AnnotatedSentence
  readonly readers: readonly Reader[]
  readonly findings: readonly Findings[]
  readonly hrefOfCase: ((id: string) => string) | undefined
}

/** The requirements and open points of a sentence, and its result in each report. */
export function SentenceDetail({ sentence, readers, findings, hrefOfCase }: SentenceDetailProps): JSX.Element {
  const { requirements, open, reason } = sentence
  const known = new Set(
    findings.flatMap((readerFindings) =>
      readerFindings.of(sentence).map(({ requirement }) => requirement.id as string),
    ),
  )
  const others = requirements.filter((requirement) => !known.has(requirement.id))
  const mistakesOf = (id: string) => requirements.find((requirement) => requirement.id === id)?.mistakes
  return (
    <div class="explained" role="group" aria-label="About this sentence">
      {readers.map((reader, index) => (
        <>
          {readers.length > 1 ? <h4>{visible(reader.label)}</h4> : null}
          {findings[index]?.of(sentence).map((found) => (
            <FoundOfRequirement found={found} hrefOfCase={hrefOfCase} mistakes={mistakesOf(found.requirement.id)} />
          ))}
        </>
      ))}
      {others.map(({ id, subject, text, mistakes }) => (
        <>
          <p class="small">
            <b>{id}</b> applies to a {subject}: <Sentence text={text} />
          </p>
          <MistakesOf mistakes={mistakes} />
        </>
      ))}
      {open.map(({ question, accepts, reference }) => (
        <p>
          <Status word="left open" kind="open" /> <Sentence text={question} /> Accepted: <Sentence text={accepts} />{' '}
          <span class="small">
            The reference: <Sentence text={reference} />
          </span>
        </p>
      ))}
      {reason === undefined ? null : (
        <p class="small">
          No requirement: <Sentence text={reason} />
        </p>
      )}
    </div>
  )
}

interface FoundProps {
  readonly found: Found
  readonly hrefOfCase: ((id: string) => string) | undefined
  readonly mistakes: AnnotatedRequirement['mistakes'] | undefined
}

function FoundOfRequirement({ found, hrefOfCase, mistakes }: FoundProps): JSX.Element {
  const { requirement, cases, reasons } = found
  const isBad = (result: CaseResult) => result.status === 'failed' || result.status === 'errored'
  const named = [...cases.filter(isBad), ...cases.filter((result) => !isBad(result))].slice(0, maxCases)
  const left = cases.length - named.length
  return (
    <div class="found">
      <p>
        <b>{requirement.id}</b> <Status word={requirementWord(requirement.status)} kind={requirement.status} />{' '}
        <Sentence text={requirement.text} />
      </p>
      {reasons.slice(0, 3).map((reason) => (
        <p class="small">{visible(reason)}</p>
      ))}
      <ul class="cases">
        {named.map((result) => (
          <li>
            <Status word={result.known_failure ? 'known failure' : result.status} kind={result.status} />{' '}
            {hrefOfCase === undefined ? (
              <code>{visible(result.id)}</code>
            ) : (
              <a href={hrefOfCase(result.id)}>{visible(result.id)}</a>
            )}
            {isBad(result) ? (
              <Opening class="evidence" label="Expected and received">
                {() => (
                  <>
                    <Checks result={result} />
                    <Exchanges result={result} left={0} />
                  </>
                )}
              </Opening>
            ) : null}
          </li>
        ))}
      </ul>
      {left > 0 ? <p class="small">And {counted(left, 'more case')}.</p> : null}
      <MistakesOf mistakes={mistakes} />
    </div>
  )
}

/** What wrong programs get wrong of it: what a case that is green would have seen. */
function MistakesOf({
  mistakes,
}: {
  readonly mistakes: AnnotatedRequirement['mistakes'] | undefined
}): JSX.Element | null {
  if (mistakes === undefined) return null
  const { first, count } = mistakes
  const served = first.find((mistake) => mistake.id.startsWith('server/'))
  return (
    <Opening
      class="mistakes"
      label={`${counted(count, 'mistake')} of the selftest that ${count === 1 ? 'breaks' : 'break'} it`}
    >
      {() => (
        <>
          <ul class="small">
            {first.map(({ id, title }) => (
              <li>
                <Sentence text={title} /> <code>{visible(id)}</code>
              </li>
            ))}
            {count > first.length ? <li>and {counted(count - first.length, 'more mistake')}</li> : null}
          </ul>
          {served === undefined ? null : (
            <>
              <p class="small">To see one found:</p>
              <Copyable text={`npx conformance ui --reference --mutant ${served.id}`} what="the command" />
            </>
          )}
        </>
      )}
    </Opening>
  )
}
