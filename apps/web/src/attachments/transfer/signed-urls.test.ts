import assert from 'node:assert/strict'
import { test } from 'node:test'
import { downloadOf, SignedUrls } from './signed-urls.ts'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const DAY_MS = 24 * 60 * 60 * 1000

test('a URL is used until shortly before its signature expires', () => {
  const urls = new SignedUrls(async () => '')
  const url = signed('s', NOW + DAY_MS)
  assert.equal(urls.usable({ id: 'a', url }, NOW), url)
  assert.equal(urls.usable({ id: 'a', url }, NOW + DAY_MS - 1), null)
  assert.equal(urls.usable({ id: 'a', url: null }, NOW), null)
})

test('a new URL is requested once and shared by all callers', async () => {
  let asked = 0
  const fresh = signed('fresh', NOW + 2 * DAY_MS)
  const urls = new SignedUrls(async () => {
    asked += 1
    return fresh
  })
  assert.deepEqual(await Promise.all([urls.renew('a'), urls.renew('a')]), [fresh, fresh])
  assert.equal(asked, 1)
  assert.equal(urls.usable({ id: 'a', url: signed('old', NOW - 1) }, NOW), fresh)
  const newer = signed('newer', NOW + 3 * DAY_MS)
  assert.equal(urls.usable({ id: 'a', url: newer }, NOW), newer)
  await urls.renew('a')
  assert.equal(asked, 2)
})

test('a download keeps the signature', () => {
  assert.equal(downloadOf('/attachments/a?sig=s&exp=1'), '/attachments/a?sig=s&exp=1&stream=1')
})

function signed(signature: string, expiresAt: number): string {
  return `/attachments/a?sig=${signature}&exp=${Math.floor(expiresAt / 1000)}`
}
