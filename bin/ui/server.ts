import { annotatedBlocks } from '../../harness/reporters/index.js'
import type { RunNews } from '../../pages/data.js'
import { startTokenPage, type TokenPage } from '../page/token-page.js'
import { loadMistakes } from '../report/mistakes.js'
import type { RunState } from './state.js'

/** The requests of the page; each answers with why it is impossible now, or undefined. */
export interface UiOptions {
  rerun(what: 'all' | 'failed' | readonly string[]): string | undefined
  stop(): string | undefined
}

/** Serves the page of a run on loopback; anyone with its address may start requests to the target. */
export function startUiServer(state: RunState, wishes: UiOptions): Promise<TokenPage> {
  return startTokenPage<RunNews>({
    page: 'ui',
    title: 'Conformance',
    follow: (notify) => state.follow(notify),
    routes(app, base) {
      app.get(`${base}interface.json`, async (c) => c.json(annotatedBlocks(await loadMistakes())))
      app.post(`${base}rerun`, async (c) => {
        const wanted: unknown = await c.req.json().catch(() => undefined)
        const what = parseRerun(wanted, state)
        const problem = what === undefined ? 'expected "all", "failed" or a list of case ids' : wishes.rerun(what)
        return problem === undefined ? c.json({}, 202) : c.json({ problem }, what === undefined ? 400 : 409)
      })
      app.post(`${base}stop`, (c) => {
        const problem = wishes.stop()
        return problem === undefined ? c.json({}, 202) : c.json({ problem }, 409)
      })
    },
  })
}

function parseRerun(wanted: unknown, state: RunState): 'all' | 'failed' | readonly string[] | undefined {
  if (wanted === 'all' || wanted === 'failed') return wanted
  if (!Array.isArray(wanted) || wanted.length === 0) return undefined
  const ids = wanted.map(String)
  return ids.every((id) => state.knows(id)) ? ids : undefined
}
