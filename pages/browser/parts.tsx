import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { visible } from './text.js'

/** What an address of this page's own program answers; undefined until then. The page shows elsewhere that the program is gone. */
export function useJson<Value>(address: string): Value | undefined {
  const [value, setValue] = useState<Value | undefined>(undefined)
  useEffect(() => {
    void fetch(address)
      .then((answer) => answer.json() as Promise<Value>)
      .then(setValue, () => undefined)
  }, [address])
  return value
}

/** A field that chooses one of some values. */
export function Select(props: {
  readonly label: string
  /** Each value with its words. */
  readonly options: readonly (readonly [value: string, words: string])[]
  /** Absent where the form reads the field by its name. */
  readonly value?: string
  readonly name?: string
  readonly onChoose?: (value: string) => void
}): JSX.Element {
  const { label, options, onChoose, ...field } = props
  return (
    <label>
      {label}{' '}
      <select {...field} onChange={(event) => onChoose?.(event.currentTarget.value)}>
        {options.map(([value, words]) => (
          <option value={value}>{visible(words)}</option>
        ))}
      </select>
    </label>
  )
}

/** A form that the page handles itself. */
export function Form(props: {
  readonly label: string
  /** Its layout: `filters` searches, `fields` sends. */
  readonly class: 'filters' | 'fields'
  readonly onSubmit?: (form: HTMLFormElement) => void
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <form
      class={props.class}
      role={props.class === 'filters' ? 'search' : undefined}
      aria-label={props.label}
      onSubmit={(event) => {
        event.preventDefault()
        props.onSubmit?.(event.currentTarget)
      }}
    >
      {props.children}
    </form>
  )
}

/** The head of a table. */
export function Head({
  names,
  class: kind,
}: {
  readonly names: readonly string[]
  readonly class?: string
}): JSX.Element {
  return (
    <thead class={kind}>
      <tr>
        {names.map((name) => (
          <th scope="col">{name}</th>
        ))}
      </tr>
    </thead>
  )
}

/** Counts as one bar; nothing where all are 0. */
export function Bar(props: {
  readonly parts: readonly (readonly [status: string, count: number])[]
  /** Absent where the counts are written next to it. */
  readonly label?: string
}): JSX.Element | null {
  const { parts, label } = props
  const sumOf = (counted: typeof parts) => counted.reduce((sum, [, count]) => sum + count, 0)
  if (sumOf(parts) === 0) return null
  return (
    <svg
      class="bar"
      viewBox={`0 0 ${sumOf(parts)} 1`}
      preserveAspectRatio="none"
      {...(label === undefined
        ? ({ 'aria-hidden': 'true' } as const)
        : ({ role: 'img', 'aria-label': label } as const))}
    >
      {parts.map(([status, count], index) => (
        <rect class={status} x={sumOf(parts.slice(0, index))} width={count} height="1" />
      ))}
    </svg>
  )
}

/** An outcome or a status as a word, so that colour is never the only sign. */
export function Status({ word, kind }: { readonly word: string; readonly kind?: string }): JSX.Element {
  return <span class={`status ${(kind ?? word).replaceAll(' ', '-')}`}>{word}</span>
}

/** A sentence whose parts between backticks are code. */
export function Sentence({ text }: { readonly text: string }): JSX.Element {
  const parts = visible(text).split('`')
  // A backtick that nothing closes stands for itself.
  const isOdd = parts.length % 2 === 0
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 0 ? part : isOdd && index === parts.length - 1 ? `\`${part}` : <code>{part}</code>,
      )}
    </>
  )
}

/** Preformatted text; nothing where there is none. */
export function Block({ text }: { readonly text: string }): JSX.Element | null {
  // Scrolled content is reached by keyboard, so this is wrapped instead.
  return text.trim() === '' ? null : <pre>{visible(text)}</pre>
}

/** Copies a text. Where the browser does not allow that, `onRefused` may select it, and the button shows `Selected`. */
export function CopyButton(props: {
  /** The text, or a way to get it; undefined where it cannot be had. */
  readonly text: string | (() => Promise<string | undefined>)
  /** The name of the text. */
  readonly what: string
  /** What the button shows (default: Copy). */
  readonly label?: string
  readonly onRefused?: () => void
}): JSX.Element {
  const { text, what, label = 'Copy', onRefused } = props
  const [result, setResult] = useState('')
  useEffect(() => setResult(''), [typeof text === 'string' ? text : ''])
  async function copy(): Promise<void> {
    const copied = typeof text === 'string' ? text : await text()
    if (copied === undefined) return
    try {
      await navigator.clipboard.writeText(copied)
      setResult('Copied')
    } catch {
      onRefused?.()
      setResult(onRefused === undefined ? 'The browser did not allow copying' : 'Selected')
    }
  }
  const shown = result === '' ? label : result
  return (
    <button
      type="button"
      class="copy"
      aria-label={`${shown}${label === 'Copy' ? '' : ':'} ${what}`}
      onClick={() => void copy()}
    >
      {shown}
    </button>
  )
}

/** Preformatted text with a copy button; `what` names the content. */
export function Copyable({ text, what }: { readonly text: string; readonly what: string }): JSX.Element {
  const pre = useRef<HTMLPreElement>(null)
  const select = () => void (pre.current !== null && getSelection()?.selectAllChildren(pre.current))
  return (
    <div class="copyable">
      <pre ref={pre}>{visible(text)}</pre>
      <CopyButton text={text} what={what} onRefused={select} />
    </div>
  )
}

/** A secret that is shown on request; `read` resolves to it. */
export function SecretText(props: {
  /** What it is the secret of. */
  readonly of: string
  readonly read: () => Promise<string | undefined>
}): JSX.Element {
  const [secret, setSecret] = useState<string | undefined>(undefined)
  const show = async () => setSecret(secret === undefined ? await props.read() : undefined)
  return (
    <>
      <code>{secret === undefined ? '••••••••' : visible(secret)}</code>{' '}
      <button
        type="button"
        class="copy"
        aria-label={`Show the secret of ${props.of}`}
        aria-pressed={secret !== undefined}
        onClick={() => void show()}
      >
        Show
      </button>{' '}
      <CopyButton text={props.read} what={`the secret of ${props.of}`} />
    </>
  )
}

/** A part that is made only once it is opened. */
export function Opening(props: {
  readonly label: ComponentChildren
  readonly class: string
  readonly isOpen?: boolean
  readonly children: () => ComponentChildren
}): JSX.Element {
  const [isOpen, setOpen] = useState(props.isOpen === true)
  return (
    <details class={props.class} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{props.label}</summary>
      {isOpen ? props.children() : null}
    </details>
  )
}

/** A switch between a few ways to see one thing. */
export function Choice<Value extends string>(props: {
  readonly label: string
  readonly values: Readonly<Partial<Record<Value, string>>>
  readonly value: Value
  readonly onChoose: (value: Value) => void
}): JSX.Element {
  const entries = Object.entries(props.values) as [Value, string][]
  return (
    <span class="choice" role="group" aria-label={props.label}>
      {entries.map(([value, label]) => (
        <button type="button" aria-pressed={value === props.value} onClick={() => props.onChoose(value)}>
          {label}
        </button>
      ))}
    </span>
  )
}

/** The views of a page as links, so that each has an address. */
export function Tabs(props: {
  readonly label: string
  readonly tabs: readonly { readonly name: string; readonly label: string; readonly href: string }[]
  readonly current: string
}): JSX.Element {
  return (
    <nav class="tabs" aria-label={props.label}>
      {props.tabs.map(({ name, label, href }) => (
        <a href={href} aria-current={name === props.current ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  )
}
