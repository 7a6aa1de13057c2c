import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dispositionOf } from './disposition.ts'
import { isInlineSafe } from './inline.ts'

test('MEDIA-1: a browser may show pictures, video, audio and plain text, and nothing else', () => {
  const shown = [
    'image/png',
    'IMAGE/JPEG',
    'image/webp',
    'image/gif',
    'image/avif',
    'video/mp4',
    'video/webm',
  ]
  for (const type of [...shown, 'audio/mpeg', 'audio/ogg', 'text/plain', 'text/plain; charset=utf-8'])
    assert.equal(isInlineSafe(type), true, type)
  const saved = [
    'image/svg+xml',
    'text/html',
    'text/xml',
    'application/xhtml+xml',
    'application/pdf',
    'text/css',
  ]
  for (const type of [...saved, 'text/javascript', 'application/octet-stream', 'image/png, text/html', ''])
    assert.equal(isInlineSafe(type), false, type)
})

test('MEDIA-2: a download has its whole name in UTF-8, and before it one in ASCII', () => {
  assert.equal(
    dispositionOf({ filename: 'holiday.png', inline: true }),
    `inline; filename="holiday.png"; filename*=UTF-8''holiday.png`,
  )
  assert.equal(
    dispositionOf({ filename: "Grüße 😀 (1)'s 50%.txt", inline: false }),
    `attachment; filename="Gr__e _ (1)'s 50_.txt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%F0%9F%98%80%20%281%29%27s%2050%25.txt`,
  )
})

test('MEDIA-2: no name breaks out of the header, and every name is accepted', () => {
  for (const filename of ['a"; x="b', 'a\r\nSet-Cookie: b=c', 'a\\"b', 'a\0b', '\ud800.txt', '', '../a/b']) {
    const header = dispositionOf({ filename, inline: false })
    assert.match(header, /^attachment; filename="[^"\\\r\n/]*"; filename\*=UTF-8''[\w.%~-]*$/, filename)
    assert.doesNotThrow(() => new Headers({ 'content-disposition': header }))
  }
})
