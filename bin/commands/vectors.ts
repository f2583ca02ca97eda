import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { checkVectorFile, writeJson, writeNdjson } from '../../harness/vectors/index.js'
import { exitCodes, UsageError, wholeNumber } from '../usage.js'

/** `conformance vectors generate`. Resolves to the exit code. */
export async function generate(flags: Readonly<Record<string, string>>): Promise<number> {
  const options = {
    count: wholeNumber('--count', flags['count'] ?? '1000', 1),
    seed: wholeNumber('--seed', flags['seed'] ?? '1', -0x80000000, 0xffffffff),
  }
  const { format = 'json', out } = flags
  if (format !== 'json' && format !== 'ndjson') throw new UsageError(`--format ${format}: expected json or ndjson`)
  const write = format === 'json' ? writeJson : writeNdjson
  if (out === undefined) {
    process.stdout.on('error', () => process.exit(exitCodes.usage))
    await write(options, process.stdout)
    return exitCodes.conformant
  }
  const file = createWriteStream(out)
  try {
    const written = finished(file)
    await Promise.race([write(options, file), written])
    file.end()
    await written
  } catch (error) {
    throw new UsageError(
      `--out ${out}: cannot be written (${error instanceof Error && 'code' in error ? String(error.code) : String(error)})`,
    )
  }
  return exitCodes.conformant
}

/** `conformance vectors check <file>`: 0 when every vector is right, 1 when one is not. */
export async function check(file: string): Promise<number> {
  let result
  try {
    result = await checkVectorFile(file)
  } catch (error) {
    throw new UsageError(
      `vectors check ${file}: cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : String(error)})`,
    )
  }
  for (const { line, id, message } of result.problems)
    process.stdout.write(
      `${line === undefined ? '' : `line ${line}: `}${id === undefined ? '' : `test ${id}: `}${message}\n`,
    )
  const more = result.problemCount - result.problems.length
  if (more > 0) process.stdout.write(`and ${more} more\n`)
  process.stdout.write(
    result.problemCount === 0
      ? `${result.count} vectors, all right\n`
      : `${result.count} vectors, ${result.problemCount} problems\n`,
  )
  return result.problemCount === 0 ? exitCodes.conformant : exitCodes.nonconformant
}
