// The page of `conformance diagnose --ui`: a request and a secret are pasted, and a worker of the page searches for the cause.
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { DiagnoseAnswer, DiagnoseNews, DiagnoseQuestion } from '../data.js'
import { useHash } from './address.js'
import { Fields } from './diagnose-fields.js'
import { DiagnosisView } from './diagnosis.js'
import { exampleForm, formOf, questionOf, type Form } from './diagnose-form.js'
import { useNews } from './follow.js'
import { mount } from './mount.js'
import { visible } from './text.js'

type State = Extract<DiagnoseNews, { kind: 'all' }>

function grown(state: State | undefined, news: DiagnoseNews): State | undefined {
  if (news.kind === 'all') return news
  return state === undefined ? undefined : { ...state, requests: [news.request, ...state.requests] }
}

/** The answer of the worker; undefined while it searches. */
interface Search {
  readonly answer: DiagnoseAnswer | undefined
}

/** Searches in a worker; a new search ends the one before. */
function useSearch(): readonly [Search | undefined, (question: DiagnoseQuestion | undefined) => void] {
  const [search, setSearch] = useState<Search>()
  const worker = useRef<Worker>(undefined)
  function start(question: DiagnoseQuestion | undefined): void {
    worker.current?.terminate()
    if (question === undefined) {
      setSearch(undefined)
      return
    }
    setSearch({ answer: undefined })
    const searching = new Worker('diagnose-worker.js')
    const end = (answer: DiagnoseAnswer) => {
      searching.terminate()
      setSearch({ answer })
    }
    searching.addEventListener('message', ({ data }: MessageEvent<DiagnoseAnswer>) => end(data))
    searching.addEventListener('error', ({ message }) =>
      end({ kind: 'unreadable', problem: message || 'The search could not be started: is the program still running?' }),
    )
    searching.postMessage(question)
    worker.current = searching
  }
  return [search, start]
}

/** The number in the fragment of the address: a request that arrived. */
function chosenNumber(): number {
  return Number(location.hash.slice(1))
}

function Diagnose(): JSX.Element {
  const { state } = useNews<State, DiagnoseNews>('events', grown)
  const [form, setForm] = useState<Form>()
  const [search, start] = useSearch()
  const [number] = useHash(chosenNumber)
  const result = useRef<HTMLDivElement>(null)
  const isKnown = state?.requests.some((request) => request.number === number) === true
  useEffect(() => {
    if (state === undefined) return
    const request = state.requests.find((one) => one.number === number)
    const filled = formOf(state, request)
    setForm(filled)
    start(request === undefined || state.secrets.length === 0 ? undefined : questionOf(filled, state.schemes))
  }, [state !== undefined, number, isKnown])
  useEffect(() => {
    if (search?.answer !== undefined) result.current?.focus()
  }, [search?.answer])
  if (state === undefined || form === undefined) return <p role="status">Loading…</p>
  const change = (changed: Partial<Form>) => setForm({ ...form, ...changed })
  const submit = () => start(questionOf(form, state.schemes))
  return (
    <>
      <header>
        <h1>Diagnose a signature</h1>
      </header>
      <main>
        <p>
          Paste a request that does not verify, and the secret. The search runs in this browser: nothing is sent.{' '}
          <button type="button" onClick={() => setForm(exampleForm(form))}>
            Fill in an example
          </button>
        </p>
        {state.requests.length < 2 && number === 0 ? null : <Arrived state={state} number={number} />}
        <form
          class="diagnose"
          autocomplete="off"
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
          }}
        >
          <Fields form={form} schemes={state.schemes} change={change} />
          <p class="buttons">
            <button type="submit" class="main">
              Diagnose
            </button>{' '}
            <span class="small">
              <kbd>Ctrl</kbd> <kbd>Enter</kbd> in any field
            </span>
            {search !== undefined && search.answer === undefined ? (
              <button type="button" onClick={() => start(undefined)}>
                Stop
              </button>
            ) : null}
          </p>
        </form>
        <div ref={result} tabIndex={-1} aria-live="polite" class="result">
          {search === undefined ? null : search.answer === undefined ? (
            <p>Searching…</p>
          ) : search.answer.kind === 'unreadable' ? (
            <p class="banner nonconformant">The request cannot be read: it {visible(search.answer.problem)}</p>
          ) : (
            <DiagnosisView diagnosis={search.answer.diagnosis} form={form} schemes={state.schemes} />
          )}
        </div>
      </main>
    </>
  )
}

/** The requests that arrived at the program, newest first. */
function Arrived({ state, number }: { readonly state: State; readonly number: number }): JSX.Element {
  return (
    <p>
      <label>
        Request{' '}
        <select value={String(number)} onChange={(event) => void (location.hash = event.currentTarget.value)}>
          <option value="0">pasted by hand</option>
          {state.requests.map((request) => (
            <option value={String(request.number)}>{`${request.number}  ${visible(request.label)}`}</option>
          ))}
        </select>
      </label>
      {number === 0 || state.requests.some((request) => request.number === number) ? null : (
        <span role="alert"> Request {number} is not kept: it is among the oldest, or the program started anew.</span>
      )}
    </p>
  )
}

mount(<Diagnose />)
