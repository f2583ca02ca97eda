import type { JSX } from 'preact'
import { Choice, Form } from './parts.js'
import { countsOf, rowStatuses, type Row } from './rows.js'

/** A field that is searched as it is typed; the key `/` leads to it. */
export function Search(props: {
  readonly words: string
  readonly placeholder: string
  readonly onInput: (words: string) => void
}): JSX.Element {
  const { words, placeholder, onInput } = props
  return (
    <label class="search">
      <span>Search</span>
      <input
        type="search"
        value={words}
        placeholder={placeholder}
        autocomplete="off"
        aria-keyshortcuts="/"
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onInput('')
        }}
      />
    </label>
  )
}

/** The outcomes that are shown, each with its count; one without a case has no chip. */
export function OutcomeChips(props: {
  readonly counts: readonly (readonly [outcome: string, count: number])[]
  readonly shown: ReadonlySet<string>
  readonly onChange: (shown: readonly string[]) => void
}): JSX.Element {
  const toggle = (outcome: string, isOn: boolean) =>
    props.onChange(
      props.counts.flatMap(([other]) => ((other === outcome ? isOn : props.shown.has(other)) ? other : [])),
    )
  return (
    <fieldset>
      <legend class="hidden">Outcomes shown</legend>
      {props.counts.map(([outcome, count]) =>
        count === 0 ? null : (
          <label class={`chip ${outcome.replaceAll(' ', '-')}`}>
            <input
              type="checkbox"
              checked={props.shown.has(outcome)}
              onChange={(event) => toggle(outcome, event.currentTarget.checked)}
            />
            {count} {outcome}
          </label>
        ),
      )}
    </fieldset>
  )
}

/** Search, outcomes and grouping. */
export function Filters(props: {
  readonly rows: readonly Row[]
  readonly shown: number
  readonly words: string
  readonly statuses: ReadonlySet<string>
  readonly by: 'suite' | 'requirement'
  readonly onChange: (change: Readonly<Record<string, string>>) => void
}): JSX.Element {
  const { rows, shown, words, statuses, by, onChange } = props
  const counts = countsOf(rows)
  return (
    <Form class="filters" label="Cases">
      <Search words={words} placeholder="id, requirement, words" onInput={(typed) => onChange({ q: typed })} />
      <OutcomeChips
        counts={rowStatuses.map((status) => [status, counts[status] ?? 0])}
        shown={statuses}
        onChange={(next) => onChange({ status: next.join(',') || 'none' })}
      />
      <Choice
        label="Group by"
        values={{ suite: 'By suite', requirement: 'By requirement' }}
        value={by}
        onChoose={(value) => onChange({ by: value === 'suite' ? '' : value })}
      />
      <span class="small" role="status">
        {shown} of {rows.length} cases shown
      </span>
    </Form>
  )
}
