import { expect, it } from 'vitest'
import { parsedUrl, placeOf } from './url.js'

it('reads a URL with letters of Latin-1, on every call', () => {
  const hosts = new Set(Array.from({ length: 50_000 }, () => parsedUrl('https://bücher.example/hook')?.hostname))
  expect([...hosts]).toEqual(['xn--bcher-kva.example'])
})

it.each([
  ['https://hooks.example:8443/a?b=1', 'hooks.example:8443/a?b=1'],
  ['https://hooks.example/ä', 'hooks.example/%C3%A4'],
  ['no url', 'no url'],
])('the place of %s is %s', (url, place) => {
  expect(placeOf(url)).toBe(place)
})
