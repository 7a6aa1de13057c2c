import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isJumbo } from './emoji-text.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'
const WAVE = `<:wave:${ID}>`

test('a few emojis alone are shown large', () => {
  for (const text of [WAVE, `${WAVE} ${WAVE}`, '🎉', 'ℹ️1️⃣', `👩🏽‍🚀 ${WAVE}\n🇨🇭`])
    assert.ok(isJumbo(text), text)
  for (const text of ['', ' ', 'hi', `hi ${WAVE}`, '1', '🎉!', WAVE.repeat(28)])
    assert.ok(!isJumbo(text), text)
})
