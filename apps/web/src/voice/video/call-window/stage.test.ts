import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextSpeaker, sentPictureOf, stageOf } from './stage.ts'

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

test('CALLWINDOW-4: a picture alone is the large one if it is sent, else that of another user, else the own one', () => {
  const stage = { source: 'camera', userId: 'ben' } as const
  const shown = (...senders: string[]) => {
    const voices = quiet.present.map((id) => ({ user_id: id, self_video: senders.includes(id) }))
    return sentPictureOf(stage, voices, 'me')?.userId
  }
  assert.deepEqual(
    [shown('me', 'ada', 'ben'), shown('me', 'ada'), shown('me'), shown()],
    ['ben', 'ada', 'me', undefined],
  )
  const screen = { source: 'screen', userId: 'ben' } as const
  assert.deepEqual(sentPictureOf(screen, [], 'me'), screen)
})

test('CALLWINDOW-2: who speaks stays large until another one speaks alone', () => {
  const others = ['ada', 'ben']
  assert.equal(nextSpeaker(null, new Set(['me']), others), null)
  assert.equal(nextSpeaker(null, new Set(['me', 'ben']), others), 'ben')
  assert.equal(nextSpeaker('ben', new Set(['ada', 'ben']), others), 'ben')
  assert.equal(nextSpeaker('ben', new Set(['ada']), others), 'ada')
  assert.equal(nextSpeaker('ben', new Set(), others), 'ben')
})
