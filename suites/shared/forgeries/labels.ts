// Forgeries whose signature is right, under a label that is not.

import { macsOfOtherHashes } from '../../../harness/authoring.js'
import { wrongEntryFor, type Forgery } from './forgery.js'
import { ownPrefix } from './rows.js'

/** Labels of signatures that are not the right one, with the separator of the right one. */
function otherLabels(prefix: string): readonly string[] {
  const [name = '', separator = ''] = /^(.*?)([^A-Za-z0-9]*)$/.exec(prefix)?.slice(1) ?? []
  return [
    ...['v2', 'v0', 'v1', 'v1a', 'v11', 'h1', 'sha1', 'sha256', 'sha512'].map((label) => label + separator),
    `x${prefix}`,
    prefix.toUpperCase(),
    ...['=', ',', ':', ';', ''].map((mark) => name + mark),
    'sha256=',
    `${name}x${separator}`,
    `${name}0${separator}`,
    `${name.slice(0, 1)}0${name.slice(1)}${separator}`,
    `${name}.0${separator}`,
    `${name.slice(0, 1)} ${name.slice(1)}${separator}`,
    prefix + prefix,
    '',
  ].filter((label, index, all) => label !== prefix && all.indexOf(label) === index)
}

/** Labels that the interface has, so that the number of rows is that of the catalogue whatever the scheme is. */
const labelCount = otherLabels('v1,').length
/** Number of labels whose value is also sent after a wrong entry. */
const besideWrong = 8

export const otherVersions: readonly Forgery[] = [
  ...Array.from({ length: labelCount }, (_, index) => index).flatMap((index) =>
    (index < besideWrong ? [false, true] : [false]).map((isBeside): Forgery => ({
      name: `label-${index + 1}${isBeside ? '-after-a-wrong-entry' : ''}`,
      title: `the right value under another label${isBeside ? ', after a wrong entry' : ''}`,
      group: 'version',
      expected: 'refused',
      needs: isBeside ? ['entry-prefix', 'several'] : ['entry-prefix'],
      make: (good) => {
        const label = otherLabels(ownPrefix(good))[index]
        if (label === undefined) return undefined
        const separator = good.scheme.data.signature.separator ?? ''
        const before = isBeside ? wrongEntryFor(good) + separator : ''
        return good.with({ signature: before + label + good.mac })
      },
    })),
  ),
  {
    name: 'other-entry-alone',
    title: 'the right value in an entry of a version that never counts, and no other',
    group: 'version',
    expected: 'refused',
    needs: ['other-entries'],
    make: (good) => {
      const [template = ''] = good.scheme.data.signature.others ?? []
      return good.with({ signature: template.replace('{signature}', good.mac) })
    },
  },
  {
    name: 'entry-of-sha1',
    title: 'a right HMAC of SHA-1 under its own label',
    group: 'version',
    expected: 'refused',
    needs: ['hmac', 'entry-prefix'],
    make: (good) => {
      const { scheme } = good
      if (!scheme.data.signature.entry.startsWith('sha256=')) return undefined
      const macs = macsOfOtherHashes(scheme.keyOf(good.fields.secret), good.message, scheme)
      const sha1 = macs.find(([hash]) => hash === 'sha1')?.[1]
      return sha1 === undefined ? undefined : good.with({ signature: `sha1=${sha1}` })
    },
  },
]
