import type { JSX } from 'preact'
import { Choice } from './parts.js'
import { rowStatuses, type Row } from './rows.js'

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
  const present = rowStatuses.filter((status) => rows.some((row) => row.status === status))
  const toggle = (status: string, isOn: boolean) => {
    const next = rowStatuses.filter((candidate) => (candidate === status ? isOn : statuses.has(candidate)))
    onChange({ status: next.length === 0 ? 'none' : next.join(',') })
  }
  return (
    <form class="filters" role="search" aria-label="Cases" onSubmit={(event) => event.preventDefault()}>
      <label class="search">
        <span>Search</span>
        <input
          type="search"
          value={words}
          placeholder="id, requirement, words"
          autocomplete="off"
          aria-keyshortcuts="/"
          onInput={(event) => onChange({ q: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onChange({ q: '' })
          }}
        />
      </label>
      <fieldset>
        <legend class="hidden">Outcomes shown</legend>
        {present.map((status) => (
          <label class={`chip ${status}`}>
            <input
              type="checkbox"
              checked={statuses.has(status)}
              onChange={(event) => toggle(status, event.currentTarget.checked)}
            />
            {rows.filter((row) => row.status === status).length} {status}
          </label>
        ))}
      </fieldset>
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
