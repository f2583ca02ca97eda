import type { JSX } from 'preact'
import type { CaseResult, Mismatch } from '../../harness/result.js'
import { differenceOf, type Difference } from './difference.js'
import { Block, Copyable } from './parts.js'
import { counted, shortened, visible } from './text.js'

/** Mismatches of one case that are shown at once, and at a click; characters of one value that are shown. */
const most = { atOnce: 6, checks: 50, value: 4_000, counterexample: 20_000 }

/** Expected and received, next to each other. */
export function Checks({ result }: { readonly result: CaseResult }): JSX.Element | null {
  const { checks = [], message, status } = result
  if (checks.length === 0) return status === 'failed' && message !== undefined ? <p>{visible(message)}</p> : null
  const others = checks.slice(most.atOnce, most.checks)
  const left = checks.length - most.checks
  return (
    <section aria-label="What did not hold">
      {checks.slice(0, most.atOnce).map((mismatch) => (
        <Check check={mismatch} />
      ))}
      {others.length === 0 ? null : (
        <details>
          <summary>
            {left > 0 ? 'At least ' : ''}
            {counted(checks.length - most.atOnce, 'more mismatch', 'more mismatches')}
          </summary>
          {others.map((mismatch) => (
            <Check check={mismatch} />
          ))}
          {left > 0 ? <p>The JSON report has all of them.</p> : null}
        </details>
      )}
    </section>
  )
}

function Check({ check }: { readonly check: Mismatch }): JSX.Element {
  const expected = visible(shortened(check.expected, most.value))
  const got = visible(shortened(check.got, most.value))
  const difference = differenceOf(expected, got)
  return (
    <div class="check">
      <p>{visible(shortened(check.what, most.value))}</p>
      <dl>
        <Side name="expected" text={expected} difference={difference} />
        <Side name="got" text={got} difference={difference} />
      </dl>
    </div>
  )
}

interface SideProps {
  readonly name: 'expected' | 'got'
  readonly text: string
  readonly difference: Difference | undefined
}

/** One of the two values, the part that only it has marked. */
function Side({ name, text, difference }: SideProps): JSX.Element {
  const Mark = name === 'expected' ? 'ins' : 'del'
  return (
    <div class={name}>
      <dt>{name}</dt>
      <dd>
        <code>
          {difference?.before}
          {difference === undefined ? text : <Mark>{difference[name]}</Mark>}
          {difference?.after}
        </code>
      </dd>
    </div>
  )
}

/** What a property failed on: its steps one by one where it has some. */
export function Counterexample({ counterexample }: { readonly counterexample: unknown }): JSX.Element {
  const { value, path, is_smallest } = membersOf(counterexample)
  const title = is_smallest === true ? 'Smallest counterexample' : 'Counterexample'
  const steps = stepsOf(value)
  return (
    <section aria-label={title}>
      <h3>
        {title}{' '}
        {steps === undefined ? null : (
          <span class="small">{counted(steps.length, typeof value === 'string' ? 'step' : 'input')}</span>
        )}
      </h3>
      <p class="small">
        Random data for which the case fails{is_smallest === true ? ', made as small as it still does' : ''}; the
        command below reruns the case with it.
      </p>
      {steps === undefined ? (
        <Block text={shortened(JSON.stringify(value, null, 2) ?? '', most.counterexample)} />
      ) : (
        <ol class="steps">
          {steps.map((step) => (
            <li>
              <code>{visible(shortened(step, most.value))}</code>
            </li>
          ))}
        </ol>
      )}
      {typeof path === 'string' ? <p class="small">Its path, for --replay: {visible(path)}</p> : null}
    </section>
  )
}

/** The rerun command. */
export function Again({ command }: { readonly command: string }): JSX.Element {
  return (
    <section aria-label="Rerun">
      <h3>Rerun</h3>
      <Copyable text={command} what="the command" />
    </section>
  )
}

function membersOf(counterexample: unknown): Readonly<Record<string, unknown>> {
  const isOurs = typeof counterexample === 'object' && counterexample !== null && 'value' in counterexample
  return isOurs ? (counterexample as Readonly<Record<string, unknown>>) : { value: counterexample }
}

/** The steps of a counterexample: the elements of a list, or the calls of a program such as `Raise(…),Poll(…)`. */
function stepsOf(value: unknown): readonly string[] | undefined {
  if (Array.isArray(value) && value.length > 1)
    return value.map((element) => JSON.stringify(element) ?? String(element))
  if (typeof value !== 'string' || !/^\w+\(.*\),\w+\(/s.test(value)) return undefined
  return value.split(/(?<=\)),(?=\w+\()/)
}
