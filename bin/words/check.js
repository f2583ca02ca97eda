// Holds the English of the repository: the share of comments, texts (strings that read as sentences) and Markdown lines with
// an avoided habit may only fall, and no line of Markdown is longer than 400 characters outside tables.
//
//   node bin/words/check.js                  compares the shares with bin/words/ratchet.json
//   node bin/words/check.js --list bin/run   prints each habit below a folder or in a file
//   node bin/words/check.js --write          lowers the ratchet to today's shares; never raises it
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findHabit } from './habits.js'
import { readTexts } from './texts.js'

const ratchetFile = 'bin/words/ratchet.json'
const maxMarkdownLine = 400

/** Folders that are not ours to word, or that a program writes. */
const skippedFolders =
  /(^|\/)(node_modules|dist|generated|vectors\/[\w.-]+\.json|\.git|docs\/api|\.stryker-tmp|reports)(\/|$)/
/** The interface came from outside; the habits and their planted examples are in the last two. */
const skippedFiles = new Set(['spec/interface.md', 'bin/words/habits.js', 'bin/words/words.test.ts'])

const [option, value = ''] = process.argv.slice(2)
if (option === '--list') listHabits(value.replace(/\/$/, ''))
else compareShares(option === '--write')

function listHabits(path) {
  for (const { file, line, text, habit } of readRepository())
    if (habit !== undefined && (path === '' || file === path || file.startsWith(`${path}/`)))
      console.log(`${file}:${line}  "${habit.words}": ${habit.advice}\n    ${text.replaceAll(/\s+/g, ' ').trim()}`)
}

function compareShares(isWriting) {
  const ratchet = JSON.parse(readFileSync(ratchetFile, 'utf8'))
  const counts = countByGroup(Object.keys(ratchet))
  let isBroken = false
  for (const [group, kinds] of Object.entries(counts)) {
    for (const [kind, { all, hits }] of Object.entries(kinds)) {
      const share = (100 * hits) / all
      const allowed = ratchet[group]?.[kind] ?? 5
      if (share > allowed) {
        isBroken = true
        console.error(
          `${group}: ${share.toFixed(1)} % of the ${kind} have an avoided habit, at most ${allowed} % may: ` +
            `node bin/words/check.js --list ${group.split(', ')[0]} prints them; CONTRIBUTING.md has the rules`,
        )
      } else if (isWriting) (ratchet[group] ??= {})[kind] = Math.min(allowed, Math.ceil(share))
    }
  }
  for (const { file, line, kind, text } of readRepository())
    if (kind === 'markdown' && text.length > maxMarkdownLine && !text.trimStart().startsWith('|')) {
      isBroken = true
      console.error(`${file}:${line} has ${text.length} characters; a line of Markdown has at most ${maxMarkdownLine}`)
    }
  if (isBroken) process.exitCode = 1
  else if (isWriting) writeFileSync(ratchetFile, `${JSON.stringify(ratchet, undefined, 2)}\n`)
}

/**
 * Counts by group of top-level folders. Folders between which files move share a group ("bin, proof, reference"), so a move changes no
 * share. A folder without a group gets 5 %.
 */
function countByGroup(groups) {
  const counts = {}
  for (const { file, kind, habit } of readRepository()) {
    const folder = file.includes('/') ? file.slice(0, file.indexOf('/')) : '.'
    const group = groups.find((names) => names.split(', ').includes(folder)) ?? folder
    const count = ((counts[group] ??= {})[kind] ??= { all: 0, hits: 0 })
    count.all += 1
    if (habit !== undefined) count.hits += 1
  }
  return counts
}

function* readRepository() {
  for (const file of listFiles('.').sort()) {
    for (const text of readTexts(file, readFileSync(file, 'utf8'))) yield { file, ...text, habit: findHabit(text.text) }
  }
}

function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '.' ? entry.name : join(folder, entry.name)
    if (skippedFolders.test(path) || skippedFiles.has(path)) return []
    if (entry.isDirectory()) return listFiles(path)
    return /\.(tsx?|m?js|md|json|ya?ml)$/.test(path) ? [path] : []
  })
}
