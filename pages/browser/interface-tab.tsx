import { addressWith } from './address.js'
import type { AnnotatedBlock, Reader } from '../data.js'
import { Annotated } from './interface.js'
import type { ExtraTab } from './run-view.js'

/** The interface as a view of a run. */
export function interfaceTab(blocks: readonly AnnotatedBlock[], reader: Reader): ExtraTab {
  const readers = [reader]
  return {
    name: 'interface',
    label: 'Interface',
    view: ({ address, hrefOfCase }) => (
      <Annotated
        blocks={blocks}
        readers={readers}
        chosen={address.get('s')}
        hrefOf={(at) => addressWith(address, { tab: 'interface', s: at })}
        hrefOfCase={hrefOfCase}
      />
    ),
  }
}
