import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webhookFormats, webhookUrl } from './webhook-urls.ts'

test('each service has its own URL, which is absolute even if the server sends a path', () => {
  const urls = (url: string) =>
    webhookFormats.map(({ suffix }) => webhookUrl(url, suffix, 'https://chat.example'))
  const whole = ['', '/github', '/slack'].map((end) => `https://chat.example/api/webhooks/id/token${end}`)
  assert.deepEqual(urls('/api/webhooks/id/token'), whole)
  assert.deepEqual(urls('https://chat.example/api/webhooks/id/token'), whole)
})
