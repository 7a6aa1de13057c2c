import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextSpeaker, stageOf } from './stage.ts'

const quiet = { pinned: null, streams: [], speaker: null, present: ['me', 'ada', 'ben'], myId: 'me' }

test('CALLWINDOW-2: large is the pinned user, else a watched stream, else who spoke last, else another user', () => {
  const full = { ...quiet, pinned: 'ben', streams: ['ada'], speaker: 'ada' }
  assert.deepEqual(stageOf(full), { source: 'camera', userId: 'ben' })
  assert.deepEqual(stageOf({ ...full, pinned: 'gone' }), { source: 'screen', userId: 'ada' })
  assert.deepEqual(stageOf({ ...quiet, speaker: 'ben' }), { source: 'camera', userId: 'ben' })
  assert.deepEqual(stageOf({ ...quiet, speaker: 'gone' }), { source: 'camera', userId: 'ada' })
  assert.deepEqual(stageOf({ ...quiet, present: ['me'] }), { source: 'camera', userId: 'me' })
  assert.equal(stageOf({ ...quiet, present: [] }), null)
})

test('CALLWINDOW-2: who speaks stays large until another one speaks alone', () => {
  const others = ['ada', 'ben']
  assert.equal(nextSpeaker(null, new Set(['me']), others), null)
  assert.equal(nextSpeaker(null, new Set(['me', 'ben']), others), 'ben')
  assert.equal(nextSpeaker('ben', new Set(['ada', 'ben']), others), 'ben')
  assert.equal(nextSpeaker('ben', new Set(['ada']), others), 'ada')
  assert.equal(nextSpeaker('ben', new Set(), others), 'ben')
})
