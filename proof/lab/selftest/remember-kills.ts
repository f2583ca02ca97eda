// `npm run lab -- remember <result of selftest --format json>...`: where kills are looked for first from now on.
import { readFileSync, writeFileSync } from 'node:fs'
import { writeOutput } from '../../../bin/cli/output.js'
import { catalogue } from '../../../bin/run/catalogue.js'
import type { MutantResult } from './judge.js'
import { likelyKillsFile, readLikelyKills, remembered } from './likely-kills.js'
import { mutantTrials } from './trials.js'

const results = process.argv
  .slice(2)
  .flatMap((file) => (JSON.parse(readFileSync(file, 'utf8')) as { readonly mutants: readonly MutantResult[] }).mutants)
const kills = remembered(results, readLikelyKills(), {
  cases: new Set(catalogue.map(({ id }) => id)),
  mutants: new Set(mutantTrials(1).map(({ id }) => id)),
})
writeFileSync(likelyKillsFile(), `${JSON.stringify(kills, null, 2)}\n`)
writeOutput(`${new Set(Object.values(kills).flat()).size} mutants by ${Object.keys(kills).length} cases\n`)
