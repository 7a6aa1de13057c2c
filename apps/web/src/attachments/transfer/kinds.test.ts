import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindOf, summaryOf } from './kinds.ts'
import { formatSize } from './size.ts'

test('the kind of a file follows from its content type', () => {
  const kinds = [
    ['image/png', 'image'],
    ['image/svg+xml', 'file'],
    ['image/tiff', 'file'],
    ['video/webm; codecs="vp9"', 'video'],
    ['audio/mpeg', 'audio'],
    ['text/plain; charset=utf-8', 'text'],
    ['application/json', 'text'],
    ['application/zip', 'archive'],
    ['application/pdf', 'document'],
    ['application/vnd.oasis.opendocument.text', 'document'],
    ['application/octet-stream', 'file'],
    ['', 'file'],
  ] as const
  for (const [type, kind] of kinds) assert.equal(kindOf(type), kind, type)
})

test('a summary counts files by kind', () => {
  assert.equal(summaryOf(['image/png']), '1 picture')
  assert.equal(summaryOf(['image/png', 'video/mp4', 'image/gif']), '2 pictures and 1 video')
  assert.equal(
    summaryOf(['audio/ogg', 'text/plain', 'application/zip', 'image/png']),
    '1 audio file, 2 files, and 1 picture',
  )
})

test('a size is formatted in the unit that keeps it short', () => {
  const sizes = [
    [0, '0 B'],
    [812, '812 B'],
    [1024, '1 kB'],
    [1536, '1.5 kB'],
    [10 * 1024 ** 2, '10 MB'],
    [1024 ** 2 - 1, '1 MB'],
    [200 * 1024 ** 2, '200 MB'],
    [5 * 1024 ** 3, '5 GB'],
  ] as const
  for (const [bytes, words] of sizes) assert.equal(formatSize(bytes), words)
})
