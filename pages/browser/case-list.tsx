import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { countsOf, needsAttention, rowStatuses, wordOf, type Counted, type Group } from './rows.js'
import { Sentence, Status } from './parts.js'
import { visible } from './text.js'

/** Rows of a search that are open at once, at most. */
const maxOpen = 300
/** Rows of one group that are shown at once; a button shows the others. */
const maxOfGroup = 200

/** Rows that can be chosen, in groups that open and close. Arrow keys go from one to the next. */
export function CaseList(props: {
  readonly groups: readonly Group[]
  readonly chosen: string | undefined
  readonly isSearch: boolean
  readonly hrefOf: (id: string) => string
}): JSX.Element {
  const { groups, chosen, isSearch, hrefOf } = props
  const count = groups.reduce((sum, group) => sum + group.rows.length, 0)
  const isAllOpen = count <= 25 || (isSearch && count <= maxOpen)
  return (
    <div class="list" onKeyDown={step}>
      {groups.map((group) => (
        <GroupOfRows
          key={`${group.name} ${isAllOpen}`}
          group={group}
          chosen={chosen}
          isOpen={isAllOpen || group.rows.some(needsAttention) || group.rows.some((row) => row.id === chosen)}
          hrefOf={hrefOf}
        />
      ))}
      {count === 0 ? <p class="empty">Nothing matches.</p> : null}
    </div>
  )
}

interface GroupProps {
  readonly group: Group
  readonly chosen: string | undefined
  readonly isOpen: boolean
  readonly hrefOf: (id: string) => string
}

function GroupOfRows({ group, chosen, isOpen, hrefOf }: GroupProps): JSX.Element {
  // Groups that were opened or closed by hand stay so.
  const [byHand, setByHand] = useState<boolean | undefined>(undefined)
  const [isWhole, setWhole] = useState(false)
  const isShown = byHand ?? isOpen
  const rows = isWhole ? group.rows : group.rows.slice(0, maxOfGroup)
  const left = group.rows.length - rows.length
  return (
    <details
      class="group"
      open={isShown}
      onToggle={(event) => {
        if (event.currentTarget.open !== isShown) setByHand(event.currentTarget.open)
      }}
    >
      <summary>
        <span class="name">{visible(group.name)}</span> <Counts counts={countsOf(group.rows)} />
        {group.about === '' ? null : (
          <span class="about">
            <Sentence text={group.about} />
          </span>
        )}
      </summary>
      {isShown ? (
        <ul>
          {rows.map((row) => (
            <li key={row.id}>
              <a
                class="row"
                href={hrefOf(row.id)}
                aria-current={row.id === chosen ? 'true' : undefined}
                data-status={row.status}
              >
                <Status word={wordOf(row)} kind={row.status} />{' '}
                <span class="id">
                  {visible(row.id.startsWith(`${group.name}/`) ? row.id.slice(group.name.length + 1) : row.id)}
                </span>
              </a>
            </li>
          ))}
          {left > 0 ? (
            <li>
              <button type="button" class="quiet" onClick={() => setWhole(true)}>
                {left} more
              </button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </details>
  )
}

/** Outcomes with their counts, in words. */
export function Counts({ counts }: { readonly counts: Counted }): JSX.Element {
  return (
    <span class="counts">
      {rowStatuses.map((status) =>
        counts[status] ? (
          <span class={`count ${status}`}>
            {counts[status]} {status}
          </span>
        ) : null,
      )}
    </span>
  )
}

/** Down and up go to the next and the previous of what can be focused in the list. */
function step(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (by === 0) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('summary, a, button')]
  const at = all.indexOf(document.activeElement as HTMLElement)
  const next = all[at + by]
  if (at < 0 || next === undefined) return
  event.preventDefault()
  next.focus()
}
