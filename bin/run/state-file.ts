import { randomUUID } from 'node:crypto'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { memberOf, validateFile } from '../../harness/parsing.js'
import { emptyCheckpoint, Checkpoint, type CheckpointRecord } from '../../harness/service/index.js'
import { packageVersion } from '../cli/package.js'
import { readFile, systemReason } from '../cli/settings.js'
import { UsageError } from '../cli/usage.js'
import { printError } from '../cli/output.js'
import { stateSchema } from './state-schema.js'

const schema = 'conformance-state/1'
/** Longest state that is read, in bytes. */
const maxBytes = 64 * 1024 * 1024
/** How often the file records that the run still listens, in milliseconds. */
const heartbeatMs = 2_000
/** Time after a start in which the cases take up their webhooks, in milliseconds. */
const takeUpMs = 2_000

interface StateFile {
  readonly schema: typeof schema
  readonly version: string
  readonly base_url: string
  readonly seed: number
  /** The last time the run is known to have listened, in milliseconds since the epoch. */
  readonly listening_until: number
  readonly memory: CheckpointRecord
}

/** A run that can be stopped and resumed. */
export interface ResumableRun {
  readonly checkpoint: Checkpoint
  /** The seed of the run that is resumed; undefined for a new one. */
  readonly seed: number | undefined
  /** Prints once how to resume the run, and keeps the file up to date from then on. */
  begin(seed: number): void
  /** Removes the file after a complete run, which has nothing to resume. */
  end(options: { readonly isComplete: boolean }): void
}

/** Opens the state file of a run, new or resumed. Throws {@link UsageError} for one of another target or version. */
export function openState(path: string, options: { baseUrl: string; resumable: ReadonlySet<string> }): ResumableRun {
  const { baseUrl, resumable } = options
  const earlier = existsSync(path) ? readState(path) : undefined
  if (earlier !== undefined && earlier.base_url !== baseUrl)
    throw new UsageError(`--state ${path}: it belongs to a run on ${earlier.base_url}; give another file, or remove it`)
  if (earlier !== undefined && earlier.version !== packageVersion())
    throw new UsageError(`--state ${path}: version ${earlier.version} wrote it, this is ${packageVersion()}; remove it`)
  // Its contents are validated last: another version may use another format.
  if (earlier !== undefined) validateFile(earlier, stateSchema, () => `--state ${path}`)
  const record = earlier?.memory ?? emptyCheckpoint()
  if (earlier !== undefined) record.absences.push({ from: earlier.listening_until, to: Date.now() + takeUpMs })
  let seed: number | undefined = earlier?.seed
  let heartbeat: NodeJS.Timeout | undefined
  let isOver = false
  const save = () => {
    if (seed === undefined || isOver) return
    const content: StateFile = {
      schema,
      version: packageVersion(),
      base_url: baseUrl,
      seed,
      listening_until: Date.now(),
      memory: record,
    }
    writeState(path, content)
  }
  let isLost = false
  const beat = () => {
    try {
      save()
    } catch (error) {
      if (!isLost) printError(error instanceof Error ? error.message : String(error))
      isLost = true
    }
  }
  return {
    checkpoint: new Checkpoint({ record, resumable, save: beat }),
    seed,
    begin(given) {
      seed = given
      save()
      heartbeat = setInterval(beat, heartbeatMs)
      heartbeat.unref()
    },
    end({ isComplete }) {
      clearInterval(heartbeat)
      if (heartbeat === undefined) return
      if (!isComplete) save()
      isOver = true
      if (isComplete) rmSync(path, { force: true })
      else printError(`the same command resumes this run; its state is in ${path}`)
    },
  }
}

function readState(path: string): StateFile {
  const content = parsed(readFile('--state', path, maxBytes))
  if (memberOf(content, 'schema') !== schema)
    throw new UsageError(`--state ${path}: this is not the state of a run; give another file`)
  return content as StateFile
}

/** The file is the kit's own, and a whole run may hold more values than are taken of a stranger. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Written aside and moved, so that a kill never leaves half a file. It holds secrets of webhooks: for its owner alone. */
function writeState(path: string, content: StateFile): void {
  try {
    // An unpredictable name, and only a new file: an existing one may be a link of another user.
    const draft = `${path}.${randomUUID()}.tmp`
    writeFileSync(draft, JSON.stringify(content), { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  } catch (error) {
    throw new UsageError(`--state ${path}: cannot be written (${systemReason(error)})`)
  }
}
