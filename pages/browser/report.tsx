import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { firstToRead } from '../../harness/causes/reading-order.js'
import type { ComparisonData, HistoryData, InterfaceData, ReportData } from '../data.js'
import { ComparisonView } from './comparison.js'
import { HistoryView } from './history.js'
import { InterfacePage } from './interface.js'
import { interfaceTab } from './interface-tab.js'
import { embeddedData, mount } from './mount.js'
import { rowOf } from './rows.js'
import { RunView } from './run-view.js'
import { Verdict } from './verdict.js'

function ReportView({ data }: { readonly data: ReportData }): JSX.Element {
  const { report, left, blocks, history } = data
  const rows = useMemo(() => report.cases.map(rowOf), [report])
  const extra = useMemo(
    () => [
      interfaceTab(blocks, {
        label: report.subject.name,
        kind: report.subject.kind,
        verdict: report.verdict,
        requirements: report.requirements,
        cases: report.cases,
      }),
    ],
    [data],
  )
  return (
    <RunView
      rows={rows}
      requirements={report.requirements}
      left={left}
      heading={<Verdict report={report} history={history} />}
      history={history}
      first={firstToRead(report)?.id}
      extra={extra}
    />
  )
}

const data = embeddedData() as ReportData | ComparisonData | HistoryData | InterfaceData
mount(
  data.kind === 'report' ? (
    <ReportView data={data} />
  ) : data.kind === 'comparison' ? (
    <ComparisonView data={data} />
  ) : data.kind === 'history' ? (
    <HistoryView data={data} />
  ) : (
    <InterfacePage data={data} />
  ),
)
