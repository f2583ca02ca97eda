// Returns the verdict of the traffic judge on a conversation, without the program around it.
import { harLines, learnFrom, readHar } from '../../observe/har.js'
import { TrafficJudge } from '../../observe/judge.js'
import type { JudgedTraffic } from '../../observe/ledger.js'
import type { TrafficLine } from '../../observe/record.js'
import { Recorder } from '../../observe/recorder.js'

/** Facts known besides the traffic. */
export interface Given {
  readonly secrets?: readonly string[]
  readonly scopes?: ReadonlyMap<string, string>
}

/** The lines of a HAR document. */
export function linesOf(document: unknown, { secrets = [] }: Given = {}): TrafficLine[] {
  const recorder = new Recorder(secrets)
  const content = readHar('test.har', JSON.stringify(document), undefined)
  learnFrom(content, recorder)
  return harLines(content, recorder, '')
}

export function judgedLines(lines: readonly TrafficLine[], { scopes }: Given = {}): JudgedTraffic {
  const judge = new TrafficJudge(scopes === undefined ? {} : { scopes })
  for (const line of lines) judge.take(line)
  judge.finish()
  return judge.ledger
}

/** The requirements that lines were found to break. */
export function broken(lines: readonly TrafficLine[]): string[] {
  return [...judgedLines(lines).findings.keys()]
}
