import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ComparisonData } from '../data.js'
import { Search } from './filters.js'
import { Form, Opening, Sentence, Status } from './parts.js'
import { searchFor, visible } from './text.js'

/** Reports in columns, with a search over the rows; rows that differ are first. */
export function ComparisonView({ data }: { readonly data: ComparisonData }): JSX.Element {
  const { columns, changes = {} } = data
  const [words, setWords] = useState('')
  const isFound = searchFor(words)
  const rows = [
    ...data.requirements.map((requirement) => ({
      kind: 'Requirements',
      id: requirement.id,
      text: requirement.text,
      values: requirement.statuses,
    })),
    ...data.cases.map((testCase) => ({ kind: 'Cases', id: testCase.id, text: '', values: testCase.outcomes })),
  ].filter((row) => isFound(`${row.id} ${row.text}`))
  const isDifferent = ({ values }: { readonly values: readonly string[] }) => new Set(values).size > 1
  const equalRows = rows.filter((row) => !isDifferent(row))
  const part = (kind: string, isWanted: boolean) =>
    rows.filter((row) => row.kind === kind && isDifferent(row) === isWanted)
  return (
    <>
      <header>
        <p class="kind">{visible(columns[0]?.subject.kind ?? '')}, side by side</p>
        <h1>{columns.map((column) => visible(column.label)).join(' · ')}</h1>
      </header>
      <main>
        <Form class="filters" label="Rows">
          <Search words={words} placeholder="id, words" onInput={setWords} />
        </Form>
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
        <Opening class="alike" label={`${equalRows.length} requirements and cases are alike`}>
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
    row('verdict', (column) => column.verdict),
    row('requirements verified', (column) => `${column.requirements.verified} of ${column.requirements.total}`),
    row('requirements violated', (column) => String(column.requirements.violated)),
    row('cases failed', (column) => String(column.cases.failed)),
  ]
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
      <div class="side-by-side scroll" tabIndex={0} role="region" aria-label={`${title}, as a table`}>
        <table class="comparison">
          <thead>
            <tr>
              <td />
              {columns.map((column) => (
                <th scope="col">
                  {visible(column.label)} <span class="small">{visible(column.file)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row">
                  {row.id.includes('/') ? <code>{visible(row.id)}</code> : visible(row.id)}{' '}
                  <span class="small">
                    <Sentence text={row.text} />
                  </span>
                </th>
                {row.values.map((value, index) => (
                  <td>
                    {/* On a narrow screen the columns are below each other, without their heads. */}
                    <span class="of small" aria-hidden="true">
                      {visible(columns[index]?.label ?? '')}{' '}
                    </span>
                    <Status
                      word={value === 'unverified' ? 'not verified' : value}
                      kind={value === 'known failure' ? 'errored' : value}
                    />
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
