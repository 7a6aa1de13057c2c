import assert from 'node:assert/strict'
import { test } from 'node:test'
import { botIdOf } from './bot-id.ts'

const ID = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'

test('a bot id is read from the id itself and from a link', () => {
  for (const text of [
    ID,
    ` ${ID.toUpperCase()} `,
    `https://chat.example.org/add-bot/${ID}`,
    `/add-bot/${ID}/`,
  ])
    assert.equal(botIdOf(text), ID, text)
  for (const text of ['', 'bot', `https://chat.example.org/invite/${ID}`, `${ID}0`, `${ID} ${ID}`])
    assert.equal(botIdOf(text), null, text)
})
