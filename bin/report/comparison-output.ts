import { requestedReporters } from '../run/reporting.js'
import { writeOutputFile } from '../cli/output-file.js'
import { systemReason } from '../cli/settings.js'
import { UsageError } from '../cli/usage.js'
import { annotatedPage, type Mistakes } from '../../harness/reporters/index.js'
import { compareReports, labelsOf, type Comparison } from './compare.js'
import type { ReadReport } from './read-report.js'
import { loadMistakes } from './mistakes.js'
import { comparisonHtml } from './comparison-html.js'
import { comparisonMarkdown, comparisonText } from './comparison-text.js'
import { rawStream, writeError, writeOutput } from '../cli/output.js'

const renderings = {
  pretty: comparisonText,
  markdown: comparisonMarkdown,
  html: comparisonHtml,
  json: (comparison: Comparison) => `${JSON.stringify(comparison, null, 2)}\n`,
} as const

/**
 * Writes a comparison in the formats of `--reporter`; as text to standard output if nothing else is written there. The interface accepts
 * reports of different kinds too, since each has its own sentences.
 */
export async function writeComparison(
  read: readonly ReadReport[],
  settings: Parameters<typeof requestedReporters>[0],
): Promise<void> {
  const requested = requestedReporters(settings)
  const isOfInterface = requested.some((reporter) => reporter.name === 'interface')
  const isStdoutTaken = requested.some((reporter) => reporter.file === undefined && reporter.name !== 'pretty')
  let comparison: Comparison | undefined
  // The default text is left out with the interface.
  const wanted = requested.filter(({ name, file }) => !isOfInterface || name !== 'pretty' || file !== undefined)
  const mistakes = isOfInterface ? await loadMistakes() : new Map()
  const texts = wanted.map(({ name }) =>
    name === 'interface' ? interfacePage(read, mistakes) : rendered(name, (comparison ??= compareReports(read))),
  )
  for (const [index, { name, file }] of wanted.entries()) {
    const text = texts[index] ?? ''
    if (file !== undefined) writeTo(`--reporter ${name}=${file}`, file, text)
    else if (name === 'pretty' && isStdoutTaken) writeError(text)
    else if (name === 'interface') rawStream('stdout').write(text)
    else writeOutput(text)
  }
}

function rendered(name: string, comparison: Comparison): string {
  if (!Object.hasOwn(renderings, name))
    throw new UsageError(
      `${name} cannot show a comparison: --compare writes ${[...Object.keys(renderings), 'interface'].join(', ')}`,
    )
  return renderings[name as keyof typeof renderings](comparison)
}

function interfacePage(read: readonly ReadReport[], mistakes: Mistakes): string {
  const labels = labelsOf(read)
  return annotatedPage(
    read.map(({ file, report }, index) => ({ label: labels[index] ?? file, report })),
    mistakes,
  )
}

/** Writes a file the user named; a {@link UsageError} explains why it cannot be written. */
export function writeTo(option: string, file: string, text: string): void {
  try {
    writeOutputFile(file, text)
  } catch (error) {
    throw new UsageError(`${option}: cannot be written (${systemReason(error)})`)
  }
}
