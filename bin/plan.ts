import type { Case } from '../harness/case.js'
import { readableMs } from '../harness/service/powers.js'
import type { Subject } from '../harness/subject.js'

/** Prints which cases would run, which would be skipped and why, what is sent, and how long it takes at least. */
export function printPlan<Context>(cases: readonly Case<Context>[], subject: Subject<Context>, sends: string): void {
  const lines = [`Plan for the ${subject.kind} ${subject.secrets.redact(subject.name)}`, '']
  const skipped = new Map<string, string[]>()
  let count = 0
  let longestMs = 0
  for (const each of cases) {
    const lack = each.needs.map((need) => subject.lacks(need, each)).find((reason) => reason !== undefined)
    if (lack !== undefined) {
      skipped.set(lack, [...(skipped.get(lack) ?? []), each.id])
      continue
    }
    count++
    longestMs = Math.max(
      longestMs,
      ...each.needs.map((need) =>
        need.startsWith('time:') && subject.lacks('clock', each) !== undefined ? Number(need.slice(5)) : 0,
      ),
    )
    lines.push(`run      ${each.level.padEnd(6)}  ${each.id}`)
  }
  for (const [reason, ids] of skipped) lines.push('', `skipped, since it ${reason}:`, ...ids.map((id) => `  ${id}`))
  lines.push('', `${count} cases would run, ${cases.length - count} would be skipped.`, sends)
  lines.push(
    longestMs > 0
      ? `The longest wait in real time is ${readableMs(longestMs)}; cases wait side by side.`
      : 'No case waits in real time.',
    '',
  )
  process.stdout.write(lines.join('\n'))
}
