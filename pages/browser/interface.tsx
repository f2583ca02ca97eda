import { Fragment, type ComponentChildren, type JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { AnnotatedBlock, AnnotatedSentence, InterfaceData, Reader } from '../data.js'
import { addressWith, useAddress } from './address.js'
import { Head, Sentence } from './parts.js'
import { SentenceDetail } from './sentence-detail.js'
import { Findings, sentenceStatuses, type SentenceStatus } from './sentence-status.js'
import { visible } from './text.js'

/** The interface on a page of its own: of one report as prose, of several as a table with a column for each. */
export function InterfacePage({ data }: { readonly data: InterfaceData }): JSX.Element {
  const { address } = useAddress()
  const names = data.readers.map((reader) => visible(reader.label)).join(' · ')
  return (
    <>
      <header>
        <p class="kind">The interface with its results</p>
        <h1>{names}</h1>
        {data.readers.map((reader) => (
          <p class="small">
            {visible(reader.label)}: {reader.kind}, {reader.verdict}
          </p>
        ))}
      </header>
      <main>
        <Annotated
          blocks={data.blocks}
          readers={data.readers}
          chosen={address.get('s')}
          hrefOf={(at) => addressWith(address, { s: at })}
          hrefOfCase={undefined}
        />
      </main>
    </>
  )
}

interface AnnotatedProps {
  readonly blocks: readonly AnnotatedBlock[]
  readonly readers: readonly Reader[]
  /** The place of the sentence that is explained. */
  readonly chosen: string | undefined
  readonly hrefOf: (at: string) => string
  /** Undefined where the page shows no cases of its own. */
  readonly hrefOfCase: ((id: string) => string) | undefined
}

/** The whole text, each sentence marked by its result; the selected one is explained below it. */
export function Annotated({ blocks, readers, chosen, hrefOf, hrefOfCase }: AnnotatedProps): JSX.Element {
  const findings = useMemo(() => readers.map((reader) => new Findings(reader)), [readers])
  const mark = (sentence: AnnotatedSentence) => (
    <Mark
      sentence={sentence}
      status={(readers.length === 1 ? findings[0]?.statusOf(sentence) : undefined) ?? 'narration'}
      isPlain={readers.length > 1}
      isChosen={String(sentence.at) === chosen}
      hrefOf={hrefOf}
    />
  )
  const detail = (sentences: readonly AnnotatedSentence[]) => {
    const sentence = sentences.find((placed) => String(placed.at) === chosen)
    return sentence === undefined ? null : (
      <SentenceDetail
        key={sentence.at}
        sentence={sentence}
        readers={readers}
        findings={findings}
        hrefOfCase={hrefOfCase}
      />
    )
  }
  const parts = { mark, detail }
  return (
    <div class={readers.length === 1 ? 'annotated' : 'annotated several'}>
      {readers.length === 1 ? <Legend blocks={blocks} findings={findings[0]} hrefOf={hrefOf} /> : null}
      {readers.length > 1 ? (
        <Compared blocks={blocks} readers={readers} findings={findings} parts={parts} />
      ) : (
        blocks.map((block) => <BlockOfText block={block} {...parts} />)
      )}
    </div>
  )
}

interface Parts {
  readonly mark: (sentence: AnnotatedSentence) => ComponentChildren
  readonly detail: (sentences: readonly AnnotatedSentence[]) => ComponentChildren
}

/** Every sentence and row with its heading, since a row alone means little. */
function sentencesIn(blocks: readonly AnnotatedBlock[]) {
  let heading = ''
  return blocks.flatMap((block) => {
    if (block.kind === 'heading') heading = block.words
    return sentencesOf(block).map((sentence) => ({ sentence, heading }))
  })
}

function sentencesOf(block: AnnotatedBlock): readonly AnnotatedSentence[] {
  if (block.kind === 'heading') return []
  return block.kind === 'table' ? block.rows.flatMap((row) => row.sentences) : block.sentences
}

interface LegendProps {
  readonly blocks: readonly AnnotatedBlock[]
  readonly findings: Findings | undefined
  readonly hrefOf: (at: string) => string
}

/** The number of sentences of each status, violated ones first. */
function Legend({ blocks, findings, hrefOf }: LegendProps): JSX.Element | null {
  if (findings === undefined) return null
  const all = sentencesIn(blocks).map((placed) => ({ ...placed, status: findings.statusOf(placed.sentence) }))
  const names = Object.keys(sentenceStatuses) as SentenceStatus[]
  const violated = all.filter((placed) => placed.status === 'violated')
  return (
    <div class="banner">
      <p>
        {all.length} sentences and rows:{' '}
        {names
          .map((name) => ({ name, count: all.filter((placed) => placed.status === name).length }))
          .filter(({ count }) => count > 0)
          .map(({ name, count }) => (
            <span class="entry">
              <span class={`mark ${name}`}>
                {sentenceStatuses[name].sign} {count} {sentenceStatuses[name].word}
              </span>{' '}
            </span>
          ))}
      </p>
      {violated.length === 0 ? null : (
        <ul>
          {violated.map(({ sentence, heading }) => (
            <li>
              <a href={hrefOf(String(sentence.at))}>
                <Sentence text={sentence.row ?? sentence.words} />
              </a>{' '}
              <span class="small">
                <Sentence text={heading} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface MarkProps {
  readonly sentence: AnnotatedSentence
  readonly status: SentenceStatus
  readonly isChosen: boolean
  /** The results are shown elsewhere. */
  readonly isPlain: boolean
  readonly hrefOf: (at: string) => string
}

/** A sentence in its place; selecting it shows its requirements and results. */
function Mark({ sentence, status, isChosen, isPlain, hrefOf }: MarkProps): JSX.Element {
  const { sign, word } = sentenceStatuses[status]
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (!isChosen) return
    link.current?.scrollIntoView({ block: 'nearest' })
    link.current?.focus({ preventScroll: true })
  }, [isChosen])
  return (
    <a
      ref={link}
      class={isPlain ? 'mark' : `mark ${status}`}
      href={hrefOf(isChosen ? '' : String(sentence.at))}
      aria-expanded={isChosen}
      title={isPlain ? undefined : word}
    >
      {isPlain || sign === '' ? null : <span aria-hidden="true">{`${sign}\u00a0`}</span>}
      {isPlain ? null : <span class="hidden">{word}: </span>}
      <Sentence text={sentence.words} />
    </a>
  )
}

function BlockOfText({ block, mark, detail }: { readonly block: AnnotatedBlock } & Parts): JSX.Element {
  if (block.kind === 'heading') return <Title level={block.level} words={block.words} />
  if (block.kind === 'table') return <TableOfText head={block.head} rows={block.rows} mark={mark} detail={detail} />
  return (
    <div class={block.kind}>
      <p>
        {block.kind === 'item' ? <span class="small">{block.mark} </span> : null}
        {block.sentences.map((sentence) => (
          <Fragment key={sentence.at}>{mark(sentence)} </Fragment>
        ))}
      </p>
      {detail(block.sentences)}
    </div>
  )
}

function Title({ level, words }: { readonly level: number; readonly words: string }): JSX.Element {
  const text = <Sentence text={words} />
  return level <= 1 ? <h2>{text}</h2> : level === 2 ? <h3 class="part">{text}</h3> : <h4 class="part">{text}</h4>
}

type TableProps = Pick<Extract<AnnotatedBlock, { kind: 'table' }>, 'head' | 'rows'> & Parts

function TableOfText({ head, rows, mark, detail }: TableProps): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={head.join(', ')}>
      <table>
        <Head names={head} />
        <tbody>
          {rows.map((row) => {
            const explained = detail(row.sentences)
            return (
              <>
                <tr>
                  {row.cells.map((cell, index) => (
                    <td data-of={head[index]}>
                      <Sentence text={cell} />
                    </td>
                  ))}
                  <td data-of={head.at(-1)}>
                    {row.sentences.map((sentence) => (
                      <Fragment key={sentence.at}>{mark(sentence)} </Fragment>
                    ))}
                  </td>
                </tr>
                {explained === null ? null : (
                  <tr>
                    <td colSpan={head.length}>{explained}</td>
                  </tr>
                )}
              </>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

interface ComparedProps {
  readonly blocks: readonly AnnotatedBlock[]
  readonly readers: readonly Reader[]
  readonly findings: readonly Findings[]
  readonly parts: Parts
}

/** Columns that fit a desk's screen next to the text; more of them are scrolled. */
const mostInOneWidth = 7
/** Words up to this length stay on one line. */
const shortWord = 14

/** A sentence a row, a report a column. */
function Compared({ blocks, readers, findings, parts }: ComparedProps): JSX.Element {
  const width = readers.length + 1
  const rowsOf = (sentences: readonly AnnotatedSentence[], before: string) =>
    sentences.map((sentence) => {
      const explained = parts.detail([sentence])
      return (
        <>
          <tr>
            <th scope="row">
              {before === '' ? null : (
                <span class="small">
                  <Sentence text={before} />{' '}
                </span>
              )}
              {parts.mark(sentence)}
            </th>
            {findings.map((readerFindings, index) => {
              const status = readerFindings.statusOf(sentence)
              return (
                <td>
                  {/* On a narrow screen the columns are below each other, without their heads. */}
                  <span class="of small" aria-hidden="true">
                    {visible(readers[index]?.label ?? '')}{' '}
                  </span>
                  <span class={`mark ${status}${sentenceStatuses[status].word.length > shortWord ? '' : ' short'}`}>
                    {sentenceStatuses[status].sign} {sentenceStatuses[status].word}
                  </span>
                </td>
              )
            })}
          </tr>
          {explained === null ? null : (
            <tr>
              <td colSpan={width}>{explained}</td>
            </tr>
          )}
        </>
      )
    })
  return (
    <div
      class={readers.length > mostInOneWidth ? 'side-by-side scroll' : 'side-by-side'}
      tabIndex={readers.length > mostInOneWidth ? 0 : undefined}
      role="region"
      aria-label="Sentence by sentence"
    >
      <table class="comparison">
        <Head names={['Sentence', ...readers.map((reader) => visible(reader.label))]} />
        <tbody>
          {blocks.map((block) =>
            block.kind === 'heading' ? (
              <tr>
                <th scope="colgroup" colSpan={width} class="part">
                  {block.words}
                </th>
              </tr>
            ) : block.kind === 'table' ? (
              block.rows.map((row) => rowsOf(row.sentences, row.cells.join(' | ')))
            ) : (
              rowsOf(block.sentences, '')
            ),
          )}
        </tbody>
      </table>
    </div>
  )
}
