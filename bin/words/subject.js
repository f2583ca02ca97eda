// Holds the first line of a commit message: "area: what changed", at most 72 characters, none of the avoided habits.
//
//   node bin/words/subject.js <file>    the message in a file; the commit-msg hook runs this
//   node bin/words/subject.js --new     every commit of this branch since this check exists; CI runs this
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { findHabit } from './habits.js'

const maxLength = 72
/** On main already, where a subject cannot change. */
const landed = new Set(['cli: init below a file says why it cannot write there'])
const [argument] = process.argv.slice(2)

const subjects = argument === '--new' ? newSubjects() : [readFileSync(argument, 'utf8').split('\n')[0]]
const faults = subjects.flatMap((subject) => findFaults(subject).map((fault) => `"${subject}": ${fault}`))
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1

function newSubjects() {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  const first = git('log', '--diff-filter=A', '--format=%H', '--', 'bin/words/subject.js').split('\n').at(-1)
  return git('log', '--no-merges', '--format=%s', `${first}..HEAD`)
    .split('\n')
    .filter((subject) => subject !== '' && !landed.has(subject))
}

function findFaults(subject) {
  if (/^(fixup!|squash!|Merge |Revert )/.test(subject)) return []
  const habit = findHabit(subject)
  return [
    ...(subject.length > maxLength ? [`${subject.length} characters; at most ${maxLength}`] : []),
    ...(/^[\w/.,+ -]+: \S/.test(subject) ? [] : ['has no area: write "area: what changed"']),
    ...(habit === undefined ? [] : [`avoid "${habit.words}": ${habit.advice}`]),
  ]
}
