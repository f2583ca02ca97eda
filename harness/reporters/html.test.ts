// The page as text: what it lets in, and how much it holds. What a reader sees of it is tested in pages/testing.
import { describe, expect, it } from 'vitest'
import type { Report } from '../result.js'
import { hostileExchange, hostileText, sampleCases, sampleReport } from '../testing/sample-report.js'
import { html } from './html.js'

function pageOf(report: Report): string {
  let text = ''
  const write = (part: string) => void (text += part)
  html({ write, isTerminal: false, colour: false }, { verbosity: 'normal' }).onRunEnd?.(report)
  return text
}

/** The data of a page. */
function dataOf(page: string): { readonly report: Report; readonly left: Readonly<Record<string, number>> } {
  const [, json = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page) ?? []
  return JSON.parse(json) as ReturnType<typeof dataOf>
}

describe('the page as text', () => {
  const page = pageOf(sampleReport({ seed: 1 }))

  it('is one file whose policy lets nothing in', () => {
    expect(page).toMatch(
      /Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri 'none'/,
    )
    const [head = ''] = page.split('<style>')
    expect(head).not.toMatch(/<(link|script|img)\b/)
    expect(page).not.toMatch(/<(link|iframe|object|embed|img)\b[^;]*(src|href)=/)
    expect(page.match(/<script/g)).toHaveLength(2)
  })

  it('holds the report once, whatever its texts are', () => {
    expect(dataOf(page).report.cases.map((result) => result.id)).toEqual(sampleCases().map((result) => result.id))
    expect(page.match(/service\/webhooks\/fails-as-known"/g)).toHaveLength(3)
    expect(dataOf(page).report.subject.name).toContain('</script><script>alert(1)')
  })

  it('is bounded, whatever the exchanges hold', () => {
    const [, failed] = sampleCases()
    if (failed === undefined) throw new Error('no sample')
    const body = `${hostileText}${'x'.repeat(10_000_000)}`
    const answered = (length: number, index: number) => ({
      ...hostileExchange,
      request: { ...hostileExchange.request, url: `https://api.example/${index}` },
      response: { status: 200, headers: {}, body: body.slice(0, length) },
    })
    const huge = {
      ...failed,
      checks: [{ kind: 'compared' as const, what: 'body', expected: 'little', got: body }],
      counterexample: body,
    }
    const cases = Array.from({ length: 40 }, (_, index) => ({
      ...(index === 0 ? huge : failed),
      id: `service/webhooks/fails-${index}`,
      exchanges: Array.from({ length: 200 }, (_, at) => answered(index === 0 ? 10_000_000 : 100_000, at)),
    }))
    const large = pageOf(sampleReport({ seed: 3, cases }))
    expect(large.length).toBeLessThan(25_000_000)
    expect(dataOf(large).left['service/webhooks/fails-0']).toBe(140)
    expect(dataOf(large).left['service/webhooks/fails-39']).toBe(200)
  })
})
