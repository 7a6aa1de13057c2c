import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type WebNotice, webNoticeContent } from '@foyer/protocol/web-rooms'
import { webNoticeText } from './web-notice-text.ts'

const wholeFrom = '2026-12-05T12:00:00.000Z'

const textOf = (notice: WebNotice) => webNoticeText(webNoticeContent(notice))

test('WEBROOM-4: each kind of notice has a text of its own, with the day from which earlier messages can be read', () => {
  const texts = [
    textOf({ kind: 'on', wholeFrom: null }),
    textOf({ kind: 'on', wholeFrom }),
    textOf({ kind: 'earlier', wholeFrom }),
    textOf({ kind: 'later' }),
    textOf({ kind: 'off' }),
  ]
  assert.equal(new Set(texts).size, texts.length)
  assert.deepEqual(
    texts.map((text) => text.includes('2026')),
    [false, true, true, false, false],
  )
  assert.match(texts[0] ?? '', /From now on/)
  assert.match(texts[4] ?? '', /took this room off the web/)
})
