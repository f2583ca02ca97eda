import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ComparisonData } from '../data.js'
import { Opening, Sentence, Status } from './parts.js'
import { visible } from './text.js'

/** Reports in columns, with a search over the rows; rows that differ are first. */
export function ComparisonView({ data }: { readonly data: ComparisonData }): JSX.Element {
  const { columns, changes = {} } = data
  const [words, setWords] = useState('')
  const searched = words.toLowerCase().split(/\s+/).filter(Boolean)
  const isShown = (text: string) => searched.every((word) => text.toLowerCase().includes(word))
  const rows = [
    ...data.requirements.map((each) => ({ kind: 'Requirements', id: each.id, text: each.text, values: each.statuses })),
    ...data.cases.map((each) => ({ kind: 'Cases', id: each.id, text: '', values: each.outcomes })),
  ].filter((each) => isShown(`${each.id} ${each.text}`))
  const isDifferent = ({ values }: { readonly values: readonly string[] }) => new Set(values).size > 1
  const alike = rows.filter((each) => !isDifferent(each))
  const part = (kind: string, isWanted: boolean) =>
    rows.filter((each) => each.kind === kind && isDifferent(each) === isWanted)
  return (
    <>
      <header>
        <p class="kind">{visible(columns[0]?.subject.kind ?? '')}, side by side</p>
        <h1>{columns.map((each) => visible(each.label)).join(' · ')}</h1>
      </header>
      <main>
        <form class="filters" role="search" aria-label="Rows" onSubmit={(event) => event.preventDefault()}>
          <label class="search">
            <span>Search</span>
            <input
              type="search"
              placeholder="id, words"
              autocomplete="off"
              value={words}
              onInput={(event) => setWords(event.currentTarget.value)}
            />
          </label>
        </form>
        <Table columns={columns} title="Verdicts" rows={totals(columns)} />
        {Object.entries(changes).map(([name, ids]) => (
          <section aria-label={name}>
            <h2>
              {name.charAt(0).toUpperCase()}
              {name.slice(1)}: {ids.length}
            </h2>
            <ul>
              {ids.map((id) => (
                <li>
                  <code>{visible(id)}</code>
                </li>
              ))}
            </ul>
          </section>
        ))}
        <Table columns={columns} title="Requirements that differ" rows={part('Requirements', true)} />
        <Table columns={columns} title="Cases that differ" rows={part('Cases', true)} />
        <Opening class="alike" label={`${alike.length} requirements and cases are alike`}>
          {() => (
            <>
              <Table columns={columns} title="Requirements that are alike" rows={part('Requirements', false)} />
              <Table columns={columns} title="Cases that are alike" rows={part('Cases', false)} />
            </>
          )}
        </Opening>
      </main>
    </>
  )
}

interface ComparedRow {
  readonly id: string
  readonly text: string
  readonly values: readonly string[]
}

function totals(columns: ComparisonData['columns']): readonly ComparedRow[] {
  const row = (id: string, valueOf: (column: ComparisonData['columns'][number]) => string): ComparedRow => ({
    id,
    text: '',
    values: columns.map(valueOf),
  })
  return [
    row('verdict', (each) => each.verdict),
    row('requirements verified', (each) => `${each.requirements.verified} of ${each.requirements.total}`),
    row('requirements violated', (each) => String(each.requirements.violated)),
    row('cases failed', (each) => String(each.cases.failed)),
  ]
}

const colours: Readonly<Record<string, string>> = {
  conformant: 'passed',
  nonconformant: 'failed',
  'known failure': 'errored',
}

interface TableProps {
  readonly columns: ComparisonData['columns']
  readonly title: string
  readonly rows: readonly ComparedRow[]
}

function Table({ columns, title, rows }: TableProps): JSX.Element | null {
  if (rows.length === 0) return null
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={`${title}, as a table`}>
        <table class="comparison">
          <thead>
            <tr>
              <td />
              {columns.map((each) => (
                <th scope="col">
                  {visible(each.label)} <span class="small">{visible(each.file)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row">
                  {row.text === '' ? <code>{visible(row.id)}</code> : visible(row.id)}{' '}
                  <span class="small">
                    <Sentence text={row.text} />
                  </span>
                </th>
                {row.values.map((each) => (
                  <td>
                    <Status word={each} kind={colours[each] ?? each} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
