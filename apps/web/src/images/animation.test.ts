import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAnimated } from './animation.ts'

/** A frame of one pixel: control extension, position and data. */
const FRAME = '21f90404 0a00 00 00 2c00000000 0100 0100 00 02 02 4401 00'

function gif(frames: number, localColors = false): Uint8Array {
  const frame = localColors ? FRAME.replace('0100 0100 00 02', '0100 0100 80 ff0000 00ff00 02') : FRAME
  return bytes(`${hex('GIF89a')} 0100 0100 80 00 00 000000 ffffff ${frame.repeat(frames)} 3b`)
}

test('a GIF is animated if it has two frames, with global or local colors', () => {
  assert.equal(isAnimated(gif(1)), false)
  assert.equal(isAnimated(gif(2)), true)
  assert.equal(isAnimated(gif(1, true)), false)
  assert.equal(isAnimated(gif(2, true)), true)
})

test('a GIF that is cut off or has an unknown block is not animated', () => {
  assert.equal(isAnimated(gif(2).subarray(0, 40)), false)
  const broken = gif(2)
  broken[19] = 0x77
  assert.equal(isAnimated(broken), false)
})

test('a WebP is animated if its header says so', () => {
  const webp = (flags: string) => bytes(`${hex('RIFF')} 24000000 ${hex('WEBPVP8X')} 0a000000 ${flags} 000000`)
  assert.equal(isAnimated(webp('02')), true)
  assert.equal(isAnimated(webp('10')), false)
  assert.equal(isAnimated(bytes(`${hex('RIFF')} 24000000 ${hex('WEBPVP8 ')} 0a000000 02 000000`)), false)
})

test('a PNG is animated if acTL comes before its image data', () => {
  const chunk = (type: string) => `00000001 ${hex(type)} 00 00000000`
  const png = (...types: string[]) => bytes(`89 ${hex('PNG')} 0d0a1a0a ${types.map(chunk).join('')}`)
  assert.equal(isAnimated(png('IHDR', 'acTL', 'IDAT')), true)
  assert.equal(isAnimated(png('IHDR', 'IDAT', 'acTL')), false)
  assert.equal(isAnimated(png('IHDR')), false)
})

test('an AVIF is animated if it is a sequence', () => {
  assert.equal(isAnimated(bytes(`00000020 ${hex('ftypavis')}`)), true)
  assert.equal(isAnimated(bytes(`00000020 ${hex('ftypavif')}`)), false)
})

test('a file that is not a picture is not animated', () => {
  assert.equal(isAnimated(new TextEncoder().encode('a text')), false)
  assert.equal(isAnimated(new Uint8Array()), false)
})

function bytes(digits: string): Uint8Array {
  return Uint8Array.from(Buffer.from(digits.replaceAll(/\s/g, ''), 'hex'))
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex')
}
