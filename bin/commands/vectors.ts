import { createWriteStream, statSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { systemReason, unreadable } from '../../harness/parsing.js'
import type { SignatureScheme } from '../../harness/schemes/index.js'
import {
  checkVectorFile,
  writeJson,
  writeNdjson,
  writeSchemeJson,
  writeSchemeNdjson,
  type GenerateOptions,
} from '../../harness/vectors/index.js'
import { schemeOf } from '../cli/scheme.js'
import { headerFamilies, vectorFormats } from '../cli/option-values.js'
import { emptyOutput, openOutput } from '../cli/output-file.js'
import { readSettings } from '../cli/settings.js'
import { exitCodes, oneOf, UsageError, wholeNumber } from '../cli/usage.js'
import { rawStream, writeOutput } from '../cli/output.js'

/** `conformance vectors generate`. Resolves to the exit code. */
export async function generate(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const settings = readSettings('vectors generate', flags)
  const options = {
    count: wholeNumber('--count', settings.text('count') ?? '1000', 1),
    seed: wholeNumber('--seed', settings.text('seed') ?? '1', -0x80000000, 0xffffffff),
    headerNames: oneOf('--header-names', settings.text('header-names') ?? 'webhook', headerFamilies),
  }
  const format = oneOf('--format', settings.text('format') ?? 'json', vectorFormats)
  const out = settings.text('out')
  const scheme = schemeOf(settings)
  const write = await writerOf(format, options, scheme)
  if (out === undefined) {
    // A reader such as `head` closes the pipe early: not an error.
    const endedBy = ({ code }: NodeJS.ErrnoException) => (code === 'EPIPE' ? exitCodes.conformant : exitCodes.usage)
    rawStream('stdout').on('error', (error) => process.exit(endedBy(error)))
    await write(rawStream('stdout'))
    return exitCodes.conformant
  }
  try {
    const fd = openOutput(out)
    emptyOutput(fd)
    const file = createWriteStream(out, { fd })
    const written = finished(file)
    await Promise.race([write(file), written])
    file.end()
    await written
  } catch (error) {
    throw new UsageError(`--out ${out}: cannot be written (${systemReason(error)})`)
  }
  return exitCodes.conformant
}

/** What writes the vectors: those of the interface, or of a scheme. */
async function writerOf(
  format: (typeof vectorFormats)[number],
  options: GenerateOptions,
  scheme: SignatureScheme | undefined,
): Promise<(output: Writable) => Promise<void>> {
  if (scheme === undefined) return (output) => (format === 'json' ? writeJson : writeNdjson)(options, output)
  const { schemeVectorsOf } = await import('../run/scheme-vectors.js')
  const vectors = schemeVectorsOf(scheme, options)
  return (output) => (format === 'json' ? writeSchemeJson : writeSchemeNdjson)(vectors, output)
}

/** `conformance vectors check <file>`: 0 when every vector is right, 1 when one is not. */
export async function check(file: string): Promise<number> {
  let result
  try {
    // A pipe and a device report a size of 0.
    const stat = statSync(file)
    if (stat.isFile() && stat.size === 0)
      throw new UsageError(`vectors check ${file}: the file is empty; conformance vectors generate writes one`)
    result = await checkVectorFile(file)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`vectors check ${file}: ${unreadable(file, error)}`)
  }
  for (const { line, id, message } of result.problems)
    writeOutput(`${line === undefined ? '' : `line ${line}: `}${id === undefined ? '' : `test ${id}: `}${message}\n`)
  const more = result.problemCount - result.problems.length
  if (more > 0) writeOutput(`and ${more} more\n`)
  writeOutput(
    result.problemCount === 0
      ? `${result.count} vectors, all right\n`
      : `${result.count} vectors, ${result.problemCount} problems\n`,
  )
  return result.problemCount === 0 ? exitCodes.conformant : exitCodes.nonconformant
}
