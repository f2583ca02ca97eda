import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { CaseResult, RequirementResult } from '../../harness/result.js'
import type { PastRun } from '../data.js'
import { addressWith, useAddress, type Address } from './address.js'
import { CaseDetail, type Quoted } from './case-detail.js'
import { CaseList } from './case-list.js'
import { Filters } from './filters.js'
import { Overview } from './overview.js'
import { Tabs } from './parts.js'
import { Requirements } from './requirements.js'
import { groupsOf, matches, needsAttention, rowStatuses, type Row } from './rows.js'
import { useShortcuts } from './shortcuts.js'
import { visible } from './text.js'
import { Times } from './times.js'

/** An additional view of a page. */
export interface ExtraTab {
  readonly name: string
  readonly label: string
  readonly view: (links: Links) => ComponentChildren
}

/** Addresses within the page. */
export interface Links {
  readonly hrefOfCase: (id: string) => string
  readonly hrefOfRequirement: (id: string) => string
  readonly address: Address
  readonly put: (change: Readonly<Record<string, string>>) => void
}

/** A run, over or under way: its cases with everything that is known of them, its requirements, its times. */
export function RunView(props: {
  readonly rows: readonly Row[]
  readonly requirements: readonly RequirementResult[]
  /** Exchanges left out of the page, by case. */
  readonly left: Readonly<Record<string, number>>
  readonly heading: ComponentChildren
  readonly history?: readonly PastRun[] | undefined
  /** The case to read first; by default the first that failed. */
  readonly first?: string | undefined
  readonly extra?: readonly ExtraTab[]
  /** What can be done with a case. */
  readonly actionsOf?: (row: Row) => ComponentChildren
  /** What can be done with an area. */
  readonly actionsOfArea?: (suite: string) => ComponentChildren
}): JSX.Element {
  const { rows, requirements, left, heading, history, first, extra = [], actionsOf, actionsOfArea } = props
  const { address, put } = useAddress()
  const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows])
  const tab = address.get('tab') ?? 'cases'
  const links: Links = {
    hrefOfCase: (id) => addressWith(address, { tab: '', at: '', case: id }),
    hrefOfRequirement: (id) => addressWith(address, { tab: 'requirements', q: '', is: '', at: id }),
    address,
    put,
  }
  const tabs = [
    { name: 'cases', label: 'Cases', href: addressWith(address, { tab: '', q: '', at: '' }) },
    { name: 'overview', label: 'Overview', href: addressWith(address, { tab: 'overview', q: '', at: '' }) },
    { name: 'requirements', label: 'Requirements', href: addressWith(address, { tab: 'requirements', q: '', at: '' }) },
    ...extra.map(({ name, label }) => ({ name, label, href: addressWith(address, { tab: name, q: '', at: '' }) })),
    { name: 'times', label: 'Times', href: addressWith(address, { tab: 'times', q: '', at: '' }) },
  ]
  const overview = (
    <Overview
      rows={rows}
      hrefOfCase={links.hrefOfCase}
      hrefOfArea={(suite) => addressWith(address, { tab: '', at: '', q: `${suite}/`, status: rowStatuses.join(',') })}
      actionsOfArea={actionsOfArea}
      history={history}
    />
  )
  useJump(address.get('at'), tab)
  useShortcuts()
  return (
    <>
      <a class="skip" href="#main" onClick={toMain}>
        To the content
      </a>
      {heading}
      <Tabs label="Views" tabs={tabs} current={tab} />
      <main id="main" tabIndex={-1}>
        {tab === 'requirements' ? (
          <Requirements
            requirements={requirements}
            rows={byId}
            status={address.get('is') ?? ''}
            words={address.get('q') ?? ''}
            hrefOfCase={links.hrefOfCase}
            hrefOf={links.hrefOfRequirement}
            onChange={put}
          />
        ) : tab === 'overview' || (tab === 'cases' && rows.length === 0) ? (
          overview
        ) : tab === 'times' ? (
          <Times
            results={rows.flatMap((row): CaseResult[] => (row.result === undefined ? [] : [row.result]))}
            hrefOfCase={links.hrefOfCase}
          />
        ) : (
          (extra.find((extraTab) => extraTab.name === tab)?.view(links) ?? (
            <Cases
              rows={rows}
              byId={byId}
              requirements={requirements}
              left={left}
              links={links}
              first={first}
              actionsOf={actionsOf}
              overview={overview}
            />
          ))
        )}
      </main>
    </>
  )
}

/** The fragment is the state of the page, so that a link into the page cannot be one. */
function toMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/** Goes to what the address points at, once it is drawn. */
function useJump(at: string | undefined, tab: string): void {
  useEffect(() => {
    if (at === undefined) return
    const node = document.getElementById(at)
    if (node === null) return
    node.scrollIntoView()
    node.tabIndex = -1
    node.focus({ preventScroll: true })
  }, [at, tab])
}

interface CasesProps {
  readonly rows: readonly Row[]
  readonly byId: ReadonlyMap<string, Row>
  readonly requirements: readonly RequirementResult[]
  readonly left: Readonly<Record<string, number>>
  readonly links: Links
  readonly first: string | undefined
  readonly actionsOf: ((row: Row) => ComponentChildren) | undefined
  /** Shown until a case is chosen. */
  readonly overview: ComponentChildren
}

function Cases({ rows, byId, requirements, left, links, first, actionsOf, overview }: CasesProps): JSX.Element {
  const { address, put, hrefOfCase, hrefOfRequirement } = links
  const isBad = rows.some((row) => ['failed', 'errored', 'unconfirmed'].includes(row.status))
  const filter = address.get('status')
  const usual = rowStatuses.filter((status) => !isBad || !['passed', 'skipped'].includes(status))
  const statuses = new Set<string>(filter === undefined ? usual : filter.split(','))
  const words = address.get('q') ?? ''
  const by = address.get('by') === 'requirement' ? 'requirement' : 'suite'
  const quotes = useMemo(
    () => new Map<string, Quoted>(requirements.map((requirement) => [requirement.id, requirement])),
    [requirements],
  )
  const sentences = useMemo(
    () => new Map(requirements.map((requirement) => [requirement.id, requirement.text])),
    [requirements],
  )
  const shown = rows.filter((row) => matches(row, { statuses, words }))
  const linked = address.get('case')
  const chosen = byId.get(linked ?? first ?? '') ?? (linked === undefined ? worst(rows) : undefined)
  const isPrinting = usePrinting()
  const pane = useRef<HTMLDivElement>(null)
  const last = useRef(linked)
  useEffect(() => {
    if (linked === undefined || linked === last.current) return
    last.current = linked
    pane.current?.querySelector<HTMLElement>('h2')?.focus()
  }, [linked])
  return (
    <>
      <Filters rows={rows} shown={shown.length} words={words} statuses={statuses} by={by} onChange={put} />
      <div class="columns">
        <section aria-label="Cases" class="side">
          <CaseList
            groups={groupsOf(shown, by, sentences)}
            chosen={chosen?.id}
            isSearch={words !== ''}
            hrefOf={hrefOfCase}
          />
        </section>
        <div class="pane" ref={pane} onKeyDown={backToList}>
          {isPrinting && linked === undefined ? (
            <Printed rows={shown} quotes={quotes} hrefOf={hrefOfRequirement} />
          ) : chosen === undefined ? (
            <>
              {linked === undefined ? null : <p class="empty">There is no case {visible(linked)} here.</p>}
              {overview}
            </>
          ) : (
            <CaseDetail
              key={chosen.id}
              row={chosen}
              quotes={quotes}
              hrefOf={hrefOfRequirement}
              left={left[chosen.id] ?? 0}
            >
              {actionsOf?.(chosen)}
            </CaseDetail>
          )}
        </div>
      </div>
    </>
  )
}

/** The row to open first: that of the report, else a failure, else an error. */
function worst(rows: readonly Row[]): Row | undefined {
  const bad = rows.filter(needsAttention)
  return bad.find((row) => row.status === 'failed') ?? bad[0]
}

/** Whether the page is being printed. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    const begin = () => setPrinting(true)
    const end = () => setPrinting(false)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}

/** Cases that are printed in full, without what went over the wire. */
const maxPrinted = 200

/** Print shows every failed and errored case of the filter. */
function Printed(props: {
  readonly rows: readonly Row[]
  readonly quotes: ReadonlyMap<string, Quoted>
  readonly hrefOf: (requirement: string) => string
}): JSX.Element {
  const rows = props.rows.filter((row) => row.status === 'failed' || row.status === 'errored')
  const left = rows.length - maxPrinted
  return (
    <>
      {rows.slice(0, maxPrinted).map((row) => (
        <CaseDetail key={row.id} row={row} quotes={props.quotes} hrefOf={props.hrefOf} left={0} isBrief />
      ))}
      {left > 0 ? <p>And {left} more.</p> : null}
      {rows.length === 0 ? <p class="empty">No case failed.</p> : null}
    </>
  )
}

/** Escape goes from a case back to its place in the list. */
function backToList(event: KeyboardEvent): void {
  if (event.key === 'Escape') document.querySelector<HTMLElement>('.list [aria-current]')?.focus()
}
