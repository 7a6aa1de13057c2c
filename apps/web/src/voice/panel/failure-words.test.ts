import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureWords } from './failure-words.ts'

/** All reasons but `kicked`: nobody can be kicked from a call. */
const ofCalls = ['permission', 'full', 'taken_over', 'room_deleted', 'network', 'unavailable'] as const

test('the reason a call fails mentions no spaces, rooms, roles or blocks', () => {
  for (const reason of ofCalls) {
    const { title, text } = failureWords(reason, true)
    assert.doesNotMatch(`${title} ${text}`, /space|room|role|block(ed|s)? you/i, reason)
  }
  const { text } = failureWords('permission', false)
  assert.match(text, /permission to join this voice room/)
})
