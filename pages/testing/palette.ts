// A screenshot in the 256 colours it mostly has: a third of the bytes, which the package carries and a README loads.
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const maxColours = 256

/** A PNG of 8 bits a channel, red, green and blue, not interlaced, as one with a palette. Throws for any other. */
export function withPalette(png: Buffer): Buffer {
  const chunks = chunksOf(png)
  const header = chunks.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(13)
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  if (header[8] !== 8 || header[9] !== 2 || header[12] !== 0) throw new Error('expected a PNG of 8 bits in RGB')
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
  const pixels = unfiltered(inflateSync(packed), { width, height })
  const palette = mostFrequent(pixels)
  const nearest = new Map<number, number>()
  const rows = Buffer.alloc(height * (width + 1))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const colour = pixels.readUIntBE((y * width + x) * 3, 3)
      const index = nearest.get(colour) ?? nearestOf(palette, colour)
      nearest.set(colour, index)
      rows[y * (width + 1) + 1 + x] = index
    }
  const indexed = Buffer.from(header)
  indexed[9] = 3
  const colours = Buffer.alloc(palette.length * 3)
  for (const [index, colour] of palette.entries()) colours.writeUIntBE(colour, index * 3, 3)
  return Buffer.concat([
    signature,
    chunk('IHDR', indexed),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

function chunksOf(png: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = []
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at)
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    })
    at += length + 12
  }
  return chunks
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}

/** The pixels under the filters of their rows (PNG, part 9). */
function unfiltered(filtered: Buffer, { width, height }: { readonly width: number; readonly height: number }): Buffer {
  const row = width * 3
  const pixels = Buffer.alloc(height * row)
  for (let y = 0; y < height; y++) {
    const filter = filtered[y * (row + 1)] ?? 0
    for (let x = 0; x < row; x++) {
      const at = y * row + x
      const left = x < 3 ? 0 : (pixels[at - 3] ?? 0)
      const above = y === 0 ? 0 : (pixels[at - row] ?? 0)
      const corner = x < 3 || y === 0 ? 0 : (pixels[at - row - 3] ?? 0)
      const guesses = [0, left, above, (left + above) >> 1, paeth(left, above, corner)]
      pixels[at] = (filtered[y * (row + 1) + 1 + x] ?? 0) + (guesses[filter] ?? 0)
    }
  }
  return pixels
}

function paeth(left: number, above: number, corner: number): number {
  const [a, b, c] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs) as [number, number, number]
  if (a <= b && a <= c) return left
  return b <= c ? above : corner
}

function mostFrequent(pixels: Buffer): readonly number[] {
  const counts = new Map<number, number>()
  for (let at = 0; at < pixels.length; at += 3) {
    const colour = pixels.readUIntBE(at, 3)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxColours)
    .map(([colour]) => colour)
}

function nearestOf(palette: readonly number[], colour: number): number {
  const parts = (rgb: number) => [rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff] as const
  const [red, green, blue] = parts(colour)
  const distances = palette.map((shade) => {
    const [r, g, b] = parts(shade)
    return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
  })
  return distances.indexOf(Math.min(...distances))
}
