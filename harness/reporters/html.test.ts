// The page in a real browser: what a target says stays text, and a reader gets by with a keyboard, a phone, a dark room.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Report } from '../result.js'
import { browserPath, openBrowser, type Browser, type PageOptions } from '../testing/browser.js'
import { attempt, hostileExchange, hostileText, sampleCases, sampleReport } from '../testing/sample-report.js'
import { html } from './html.js'

const folder = mkdtempSync(join(tmpdir(), 'conformance-page-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function pageOf(report: Report): { readonly file: string; readonly text: string } {
  let text = ''
  const write = (part: string) => void (text += part)
  html({ write, isTerminal: false, colour: false }, { verbosity: 'normal' }).onRunEnd?.(report)
  const file = join(folder, `${report.seed}.html`)
  writeFileSync(file, text)
  return { file, text }
}

describe('as text', () => {
  const { text } = pageOf(sampleReport({ seed: 1 }))

  it('is one file whose policy lets nothing in', () => {
    expect(text).toMatch(
      /Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-/,
    )
    expect(text.replace(/"[^"]*"/g, '')).not.toMatch(
      /<(link|iframe|object|embed|img)\b|<[a-z][^>]* (src|style|on[a-z]+)=/,
    )
    expect(text.match(/<script/g)).toHaveLength(1)
  })

  it('shows a curl line without the key', () => {
    expect(text).toContain('-H &quot;authorization: Bearer $CONFORMANCE_API_KEY&quot;')
    expect(text).toContain('https://hooks.example/it&#39;\\&#39;&#39;s')
  })

  it('draws attempts where they were due and where they were made', () => {
    expect(text).toContain('2 attempts made at 0, 9 s, due at 0, 5 s, 5 min 9 s after the first')
    const [replayed] = sampleCases().slice(1)
    const exchanges = [attempt(0, 200), attempt(9, 200)]
    const page = pageOf(sampleReport({ seed: 2, cases: replayed === undefined ? [] : [{ ...replayed, exchanges }] }))
    expect(page.text).toContain('2 attempts made at 0, 9 s, due at 0 after the first')
  })

  it('is bounded, whatever the exchanges hold', () => {
    const [failed] = sampleCases().slice(1)
    if (failed === undefined) throw new Error('no sample')
    const body = `${hostileText}${'x'.repeat(10_000_000)}`
    const answered = (length: number) => ({
      ...hostileExchange,
      response: { status: 200, headers: {}, body: body.slice(0, length) },
    })
    const huge = { ...failed, checks: [{ what: 'body', expected: 'little', got: body }], counterexample: body }
    const cases = Array.from({ length: 40 }, (_, index) => ({
      ...(index === 0 ? huge : failed),
      id: `service/webhooks/fails-${index}`,
      exchanges: Array.from({ length: 200 }, () => answered(index === 0 ? 10_000_000 : 100_000)),
    }))
    const page = pageOf(sampleReport({ seed: 3, cases }))
    expect(page.text.length).toBeLessThan(25_000_000)
    expect(page.text).toContain('stand in the JSON report')
  })
})

const skips = browserPath === undefined ? ' (skipped: no Chromium is installed here)' : ''

describe.skipIf(browserPath === undefined)(`in a browser${skips}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())
  const { file } = pageOf(sampleReport({ seed: 4 }))
  const open = (options: PageOptions = {}, fragment = '') => browser.open(`file://${file}${fragment}`, options)
  const shownIds = '[...document.querySelectorAll(".case:not([hidden])")].map(each=>each.id)'

  it('runs its own script alone, and asks the network for nothing', async () => {
    const page = await open()
    expect(await page.evaluate('document.querySelectorAll("script").length')).toBe(1)
    expect(await page.evaluate('document.querySelectorAll("img,iframe,a[href^=javascript]").length')).toBe(0)
    expect(await page.evaluate('document.getElementById("shown").textContent')).toBe('4 of 5 cases shown')
    expect(page.complaints).toEqual([])
    expect(page.requests).toEqual([`file://${file}`])
  })

  it('filters by outcome and by words', async () => {
    const page = await open()
    const shown = () => page.evaluate<string[]>(shownIds)
    expect(await shown()).not.toContain('case-service/webhooks/passes')
    await page.evaluate('document.querySelector(".chip.passed input").click()')
    expect(await shown()).toHaveLength(5)
    await page.evaluate('document.querySelector(".chip.failed input").click()')
    expect(await shown()).toEqual([
      'case-service/retries/errs',
      'case-service/webhooks/passes',
      'case-service/retries/skips',
    ])
    await page.press('/')
    for (const key of 'skips') await page.press(key)
    expect(await shown()).toEqual(['case-service/retries/skips'])
    for (const key of 'zzz') await page.press(key)
    expect(await shown()).toEqual([])
    expect(await page.evaluate('document.getElementById("nothing").hidden')).toBe(false)
    await page.press('Escape')
    expect(await shown()).toHaveLength(3)
  })

  it('opens what a link points to, though a filter hides it', async () => {
    const page = await open({}, '#case-service/webhooks/passes')
    const linked = 'document.getElementById("case-service/webhooks/passes")'
    await page.until(`document.activeElement.parentElement===${linked}`)
    expect(await page.evaluate(`${linked}.open&&!${linked}.hidden`)).toBe(true)
  })

  it('is used with the keyboard: focus goes from top to bottom and is seen', async () => {
    const page = await open()
    const focused = () =>
      page.evaluate<string>(
        'document.activeElement.className||document.activeElement.id||document.activeElement.tagName',
      )
    const seen: string[] = []
    for (let count = 0; count < 4; count++) {
      await page.press('Tab')
      seen.push(await focused())
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none')
    }
    expect(seen).toEqual(['skip', 'cell violated', 'search', 'INPUT'])
    await page.evaluate('document.querySelector(".matrix .cell").focus()')
    await page.press('ArrowRight')
    expect(await focused()).toBe('cell verified')
    await page.press('ArrowLeft')
    expect(await focused()).toBe('cell violated')
  })

  it.each([false, true])('fits a phone and can be read (dark: %s)', async (dark) => {
    const page = await open({ width: 360, height: 740, dark })
    await page.evaluate('document.querySelectorAll("details").forEach(each=>{each.open=true})')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    const colour = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    expect(Number(/\d+/.exec(colour)?.[0]) < 128).toBe(dark)
    expect(await page.evaluate<number>(contrast)).toBeGreaterThan(4.5)
  })

  it('says Copied, or selects what is to be copied', async () => {
    const page = await open()
    await page.evaluate('document.querySelector(".copyable button").click()')
    await page.until('/^(Copied|Selected)$/.test(document.querySelector(".copyable button").textContent)')
  })

  it('shows ten thousand cases', async () => {
    const [passed, failed] = sampleCases()
    if (passed === undefined || failed === undefined) throw new Error('no sample')
    const cases = Array.from({ length: 10_000 }, (_, index) => ({
      ...(index % 100 === 0 ? failed : passed),
      id: `service/many-${index % 40}/case-${index}`,
      suite: `service/many-${index % 40}`,
      title: 'one of many',
    }))
    const many = pageOf(sampleReport({ seed: 5, cases }))
    const page = await browser.open(`file://${many.file}`)
    expect(await page.evaluate('document.getElementById("shown").textContent')).toBe('100 of 10000 cases shown')
    expect(page.complaints).toEqual([])
  })
})

/** The lowest contrast of any text with what is behind it. */
const contrast = `(()=>{
const luminance=([r,g,b])=>{const part=value=>{value/=255;return value<=.03928?value/12.92:((value+.055)/1.055)**2.4};return .2126*part(r)+.7152*part(g)+.0722*part(b)}
const numbers=text=>text.match(/[\\d.]+/g).map(Number)
const behind=node=>{for(let each=node;each;each=each.parentElement){const colour=numbers(getComputedStyle(each).backgroundColor);if(colour.length===3||colour[3]>0)return colour}return [255,255,255]}
let worst=21
for(const node of document.querySelectorAll('body *:not(script):not(svg *):not(style)')){
if(![...node.childNodes].some(each=>each.nodeType===3&&each.textContent.trim()))continue
const [a,b]=[luminance(numbers(getComputedStyle(node).color)),luminance(behind(node))].sort((x,y)=>y-x)
worst=Math.min(worst,(a+.05)/(b+.05))}
return worst})()`
