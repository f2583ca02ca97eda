import { writeFileSync } from 'node:fs'
import { askedReporters } from '../reporting.js'
import { systemCode } from '../settings.js'
import { UsageError } from '../usage.js'
import type { Comparison } from './compare.js'
import { comparisonHtml } from './comparison-html.js'
import { comparisonMarkdown, comparisonText } from './comparison-text.js'

const renderings = {
  pretty: comparisonText,
  markdown: comparisonMarkdown,
  html: comparisonHtml,
  json: (comparison: Comparison) => `${JSON.stringify(comparison, null, 2)}\n`,
} as const

/** Writes a comparison as `--reporter` asks; as text to standard output where nothing else goes there. */
export function writeComparison(comparison: Comparison, settings: Parameters<typeof askedReporters>[0]): void {
  const asked = askedReporters(settings)
  const isStdoutTaken = asked.some((each) => each.file === undefined && each.name !== 'pretty')
  for (const { name, file } of asked) {
    if (!Object.hasOwn(renderings, name))
      throw new UsageError(`${name} cannot show a comparison: --compare writes ${Object.keys(renderings).join(', ')}`)
    const text = renderings[name as keyof typeof renderings](comparison)
    if (file !== undefined) writeTo(`--reporter ${name}=${file}`, file, text)
    else (name === 'pretty' && isStdoutTaken ? process.stderr : process.stdout).write(text)
  }
}

function writeTo(option: string, file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(`${option}: cannot be written (${systemCode(error)})`)
  }
}
