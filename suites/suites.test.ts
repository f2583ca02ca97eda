import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { requirementIds, requirements, type RequirementId } from '../spec/index.js'
import { clientCases } from './client/index.js'
import { receiverCases } from './receiver/index.js'
import { senderCases } from './sender/index.js'
import { serviceCases } from './service/index.js'
import { trafficCases } from './traffic/index.js'
import { verifierCases } from './verifier/index.js'

const folder = import.meta.dirname
const requested = [...serviceCases, ...receiverCases, ...verifierCases, ...clientCases, ...senderCases]
const catalogue = [...requested, ...trafficCases]

describe('cases', () => {
  it('have ids of their own, in kebab case', () => {
    const ids = catalogue.map((testCase) => testCase.id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    for (const id of ids)
      expect(id).toMatch(/^(service|receiver|verifier|client|sender|observe)\/[a-z0-9-]+\/[a-z0-9-]+$/)
  })

  it('cite requirements of their own kind of target', () => {
    for (const testCase of catalogue)
      for (const id of testCase.requirements) {
        // Traffic is checked with the sentences of the service it is from.
        const kind = testCase.subject === 'traffic' ? 'service' : testCase.subject
        expect(requirements[id].subject, `${testCase.id} ${id}`).toBe(kind)
      }
  })

  it('are never stricter than what they cite', () => {
    for (const testCase of catalogue.filter(({ level }) => level === 'must'))
      expect(
        testCase.requirements.map((id) => requirements[id].level),
        testCase.id,
      ).toContain('must')
  })

  it('settle what they cite, as cases of its level that decide it', () => {
    const wrong = requested.flatMap((testCase) =>
      (testCase.decides ?? [])
        .filter((id) => !testCase.requirements.includes(id) || testCase.level !== requirements[id].level)
        .map((id) => `${testCase.id} ${id}`),
    )
    expect(wrong).toEqual([])
  })

  it('depend on requirements that they do not check themselves', () => {
    const wrong = requested.flatMap((testCase) =>
      (testCase.dependsOn ?? []).filter((id) => testCase.requirements.includes(id)).map((id) => `${testCase.id} ${id}`),
    )
    expect(wrong).toEqual([])
  })

  it('cover every requirement that can be tested', () => {
    const cited = new Set<RequirementId>(requested.flatMap((testCase) => [...testCase.requirements]))
    const bare = requirementIds.filter((id) => !cited.has(id) && requirements[id].untestable === undefined)
    expect(bare).toEqual([])
    const needless = requirementIds.filter((id) => cited.has(id) && requirements[id].untestable !== undefined)
    expect(needless).toEqual([])
  })

  it('cover every MUST with a case of level must', () => {
    const decided = new Set<RequirementId>(
      requested.filter((testCase) => testCase.level === 'must').flatMap((testCase) => [...testCase.requirements]),
    )
    const weak = requirementIds.filter(
      (id) => requirements[id].level === 'must' && requirements[id].untestable === undefined && !decided.has(id),
    )
    expect(weak).toEqual([])
  })

  it('are those of the golden list: a change of an id, a level or a requirement is a change others see', async () => {
    const list = catalogue.map(({ id, level, requirements: ids }) => `${id} ${level} ${ids.join(' ')}`).join('\n')
    await expect(`${list}\n`).toMatchFileSnapshot(join(folder, 'cases.golden.txt'))
  })
})

describe('headers of case files', () => {
  const files = ['service', 'receiver', 'verifier', 'client', 'sender', 'traffic'].flatMap((kind) =>
    readdirSync(join(folder, kind), { encoding: 'utf8', recursive: true })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, kind, file)),
  )

  it('quote requirements word for word', () => {
    const wrong: string[] = []
    for (const file of files) {
      const comment = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('//'))
        .map((line) => line.replace(/^\/\/ ?/, ''))
        .join(' ')
      for (const [, id = '', quote = ''] of comment.matchAll(/\b([A-Z]{3,5}-\d{3})\s+"([^"]+(?:"[*]"[^"]*)*)"/g)) {
        const answer = requirements[id as RequirementId]?.text
        const parts = quote
          .replace(/\s+/g, ' ')
          .split('…')
          .map((part) => part.trim())
          .filter((part) => part !== '')
        if (answer === undefined || parts.some((part) => !answer.replace(/\s+/g, ' ').includes(part)))
          wrong.push(`${file.slice(folder.length + 1)} ${id}: ${quote.replace(/\s+/g, ' ')}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

describe('service cases', () => {
  const service = join(folder, 'service')
  const files = readdirSync(service, { encoding: 'utf8', recursive: true }).filter((file) =>
    /^[a-z]+\/.*\.ts$/.test(file),
  )

  it('import what several of them use from shared, never from each other', () => {
    expect(files.length).toBeGreaterThan(60)
    const imports = files
      .filter((file) => !file.startsWith('shared/'))
      .flatMap((file) =>
        [...readFileSync(join(service, file), 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) => ({
          file,
          target: join(file, '..', target),
        })),
      )
    const wrong = imports.filter(({ target }) => /^[a-z]+\//.test(target) && !target.startsWith('shared/'))
    expect(wrong).toEqual([])
  })

  it('have a README in each folder', () => {
    const folders = readdirSync(service, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    for (const { name } of folders) expect(readdirSync(join(service, name)), name).toContain('README.md')
  })
})

describe('client cases', () => {
  it('import what several of them use from shared, never from each other', () => {
    const client = join(folder, 'client')
    const files = readdirSync(client).filter((file) => file.endsWith('.ts') && file !== 'index.ts')
    expect(files.length).toBeGreaterThan(20)
    const wrong = files.flatMap((file) =>
      [...readFileSync(join(client, file), 'utf8').matchAll(/from '(\.\/[^']+)'/g)]
        .filter(([, target = '']) => !target.startsWith('./shared/'))
        .map(([, target = '']) => `${file} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })
})
