import type { JSX } from 'preact'
import type { RequirementResult, RequirementStatus } from '../../harness/result.js'
import { Form, Head, Select, Sentence, Status } from './parts.js'
import { Search } from './filters.js'
import { wordOf, type Row } from './rows.js'
import { grouped, searchFor, visible } from './text.js'

const marks: Readonly<Record<RequirementStatus, string>> = {
  verified: '✓',
  violated: '✕',
  unverified: '?',
  untestable: '–',
}

/** A status as it is shown. */
export function requirementWord(status: RequirementStatus): string {
  return status === 'unverified' ? 'not verified' : status === 'untestable' ? 'not testable' : status
}

interface RequirementsProps {
  readonly requirements: readonly RequirementResult[]
  readonly rows: ReadonlyMap<string, Row>
  /** The status that alone is shown; empty shows all. */
  readonly status: string
  readonly words: string
  readonly hrefOfCase: (id: string) => string
  readonly hrefOf: (requirement: string) => string
  readonly onChange: (change: Readonly<Record<string, string>>) => void
}

/** Every requirement of the kind: as one cell each by area, then in full with the cases that check it. */
export function Requirements(props: RequirementsProps): JSX.Element {
  const { requirements, status, words, onChange } = props
  const isFound = searchFor(words)
  const shown = requirements.filter(
    (requirement) =>
      (status === '' || requirement.status === status) && isFound(`${requirement.id} ${requirement.text}`),
  )
  const statuses = (Object.keys(marks) as RequirementStatus[])
    .map((name) => ({ name, count: requirements.filter((requirement) => requirement.status === name).length }))
    .filter(({ count }) => count > 0)
  return (
    <section aria-labelledby="requirements-title">
      <h2 id="requirements-title">Requirements</h2>
      <Matrix {...props} />
      <Form class="filters" label="Requirements">
        <Search words={words} placeholder="id, words" onInput={(typed) => onChange({ q: typed })} />
        <Select
          label="Show"
          value={status}
          options={[
            ['', `all ${requirements.length}`],
            ...statuses.map(({ name, count }) => [name, `${count} ${requirementWord(name)}`] as const),
          ]}
          onChoose={(is) => onChange({ is })}
        />
        <span class="small" role="status">
          {shown.length} of {requirements.length} shown
        </span>
      </Form>
      <ul class="requirements">
        {shown.map((requirement) => (
          <Requirement key={requirement.id} requirement={requirement} rows={props.rows} hrefOfCase={props.hrefOfCase} />
        ))}
      </ul>
    </section>
  )
}

/** Every requirement as one cell, by area: verified and violated ones at a glance. */
function Matrix({ requirements, hrefOf }: Pick<RequirementsProps, 'requirements' | 'hrefOf'>): JSX.Element {
  const areas = grouped(requirements, ({ id }) => id.slice(0, id.indexOf('-')))
  const seen = (Object.keys(marks) as RequirementStatus[]).filter((status) =>
    requirements.some((requirement) => requirement.status === status),
  )
  return (
    <>
      <p class="legend small">
        {seen.map((status) => (
          <span>
            <i class={`cell ${status}`}>{marks[status]}</i> {requirementWord(status)}
          </span>
        ))}
      </p>
      <p class="small">Each cell is a requirement; 2/9 before a row means that 2 of its 9 are verified.</p>
      <table class="matrix">
        <Head class="hidden" names={['Area', 'Verified', 'Requirements']} />
        <tbody>
          {[...areas].map(([area, members]) => (
            <tr>
              <th scope="row">{visible(area)}</th>
              <td class="small">
                {members.filter((requirement) => requirement.status === 'verified').length}/{members.length}
              </td>
              <td class="cells" onKeyDown={stepBetweenCells}>
                {members.map((requirement, index) => (
                  <Cell requirement={requirement} href={hrefOf(requirement.id)} isFirst={index === 0} />
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

interface CellProps {
  readonly requirement: RequirementResult
  readonly href: string
  readonly isFirst: boolean
}

function Cell({ requirement: { id, status, text }, href, isFirst }: CellProps): JSX.Element {
  const label = `${id} ${requirementWord(status)}`
  return (
    <a
      class={`cell ${status}`}
      href={href}
      title={visible(`${label}: ${text}`)}
      aria-label={label}
      tabIndex={isFirst ? 0 : -1}
    >
      {marks[status]}
    </a>
  )
}

/** One area is one stop of Tab; the arrow keys go through its cells. */
function stepBetweenCells(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (by === 0) return
  const cells = [...event.currentTarget.querySelectorAll<HTMLElement>('a')]
  const next = cells[cells.indexOf(document.activeElement as HTMLElement) + by]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

/** Few cases are links; many, such as the vectors of a verifier, are counts by outcome. */
const fewCases = 12

interface RequirementProps {
  readonly requirement: RequirementResult
  readonly rows: ReadonlyMap<string, Row>
  readonly hrefOfCase: (id: string) => string
}

function Requirement({ requirement, rows, hrefOfCase }: RequirementProps): JSX.Element {
  const { id, level, status, text, source, cases } = requirement
  const shown = cases.flatMap((id) => rows.get(id) ?? [])
  const isBad = (row: Row) => row.status === 'failed' || row.status === 'errored'
  const linked = shown.length > fewCases ? shown.filter(isBad).slice(0, fewCases) : shown
  const missing = cases.length - shown.length
  return (
    <li id={id} class="requirement">
      <p>
        <b>{visible(id)}</b> <Status word={requirementWord(status)} kind={status} /> <span class="small">{level}</span>
      </p>
      <p>
        <Sentence text={text} /> <span class="small">interface.md{visible(source)}</span>
      </p>
      {shown.length > fewCases ? <p class="small">{shown.length} cases</p> : null}
      <ul class="cases">
        {linked.map((row) => (
          <li>
            <Status word={wordOf(row)} kind={row.status} /> <a href={hrefOfCase(row.id)}>{visible(row.id)}</a>
          </li>
        ))}
      </ul>
      {missing > 0 ? <p class="small">{missing} not run</p> : null}
    </li>
  )
}
