import type { JSX } from 'preact'
import { Choice } from './parts.js'
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
  readonly onToggle: (outcome: string, isOn: boolean) => void
}): JSX.Element {
  return (
    <fieldset>
      <legend class="hidden">Outcomes shown</legend>
      {props.counts.map(([outcome, count]) =>
        count === 0 ? null : (
          <label class={`chip ${outcome.replaceAll(' ', '-')}`}>
            <input
              type="checkbox"
              checked={props.shown.has(outcome)}
              onChange={(event) => props.onToggle(outcome, event.currentTarget.checked)}
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
  const toggle = (status: string, isOn: boolean) => {
    const next = rowStatuses.filter((candidate) => (candidate === status ? isOn : statuses.has(candidate)))
    onChange({ status: next.length === 0 ? 'none' : next.join(',') })
  }
  return (
    <form class="filters" role="search" aria-label="Cases" onSubmit={(event) => event.preventDefault()}>
      <Search words={words} placeholder="id, requirement, words" onInput={(typed) => onChange({ q: typed })} />
      <OutcomeChips
        counts={rowStatuses.map((status) => [status, counts[status] ?? 0])}
        shown={statuses}
        onToggle={toggle}
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
    </form>
  )
}
