// `npm run lab -- <campaign> [arguments]`: starts one of the campaigns that test the kit itself.
import { spawnSync } from 'node:child_process'
import { basename, join } from 'node:path'
import { writeError, writeOutput } from '../../bin/cli/output.js'
import { packageFolder } from '../../bin/cli/package.js'

interface Campaign {
  readonly question: string
  /** A program that runs in this process, relative to the built file. */
  readonly program?: string
  /** A command, with the arguments before the user's, and variables. */
  readonly command?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const vitest = (...files: readonly string[]) => ['npx', 'vitest', 'run', ...files]

const campaigns: Readonly<Record<string, Campaign>> = {
  selftest: {
    question: 'is every mutant detected, and no correct implementation failed',
    command: [process.execPath, join(packageFolder(), 'bin/conformance.js'), 'selftest'],
  },
  noise: { question: 'does a bad network make a correct service fail', program: './noise/main.js' },
  attack: { question: 'does a hostile target or input break the kit', program: './attack/main.js' },
  traffic: { question: 'which mutants does observe detect', program: './traffic/main.js' },
  'held-out': { question: 'which mistakes written by outsiders are detected', program: './held-out/main.js' },
  verdicts: {
    question: 'is the sentence that a mutant breaks printed first, and shortly',
    program: './verdicts/main.js',
  },
  libraries: { question: 'how do published packages differ from the interface', program: './libraries/main.js' },
  generators: {
    question: 'do generated clients of the OpenAPI document compile and work',
    program: './generators/main.js',
  },
  bench: { question: 'how long does everything take', program: './bench/main.js' },
  hour: { question: 'do memory, descriptors and latency stay flat for an hour', program: './bench/hour.js' },
  whole: {
    question: 'do all tests pass with every row of their matrices (npm test tries a few)',
    command: vitest(),
    env: { WHOLE: '1' },
  },
  hostile: {
    question: 'does any hostile target break a run (a part of whole)',
    command: vitest('bin/blackbox/hostile'),
    env: { WHOLE: '1' },
  },
  modes: {
    question: 'do slow modes of a run agree with the fast ones (a part of whole)',
    command: vitest('bin/blackbox/modes.test.ts'),
    env: { WHOLE: '1' },
  },
  fuzz: {
    question: 'do parsers and encoders hold on twenty times as many random inputs',
    command: vitest(
      '--testTimeout',
      '600000',
      'harness/secrets.test.ts',
      'harness/driver/lines.test.ts',
      'harness/reporters/fuzz.test.ts',
      'harness/sink/client-hello.test.ts',
      'harness/dns/name-server.test.ts',
      'harness/service/stream.test.ts',
      'harness/wire/json.test.ts',
      'harness/shards.test.ts',
      'reference/server/cursors.test.ts',
      'bin/blackbox/parsers.test.ts',
      'bin/blackbox/odd-answers.test.ts',
    ),
    env: { FUZZ: '1' },
  },
  stryker: {
    question: 'which random changes of a reference go undetected (server, client, receiver, verifier)',
    command: ['npx', '--yes', '-p', '@stryker-mutator/core@9.6.1', '--', 'stryker', 'run'],
  },
}

const usage = `usage: npm run lab -- <campaign> [arguments]; --help after a campaign shows its arguments

${Object.entries(campaigns)
  .map(([name, { question }]) => `  ${name.padEnd(10)} ${question}`)
  .join('\n')}
`

const [name = '', ...rest] = process.argv.slice(2)
const campaign = campaigns[name]
if (campaign === undefined) {
  const isHelp = name === '' || name === '--help'
  if (isHelp) writeOutput(usage)
  else writeError(`there is no campaign ${basename(name)}\n${usage}`)
  process.exitCode = isHelp ? 0 : 2
} else if (campaign.program !== undefined) {
  process.argv.splice(2, 1)
  await import(campaign.program)
} else {
  const [program = '', ...first] = campaign.command ?? []
  const own = name === 'stryker' ? rest.map((part) => `proof/lab/stryker/${part}.json`) : rest
  const env = { ...process.env, ...campaign.env }
  process.exitCode = spawnSync(program, [...first, ...own], { stdio: 'inherit', env }).status ?? 1
}
