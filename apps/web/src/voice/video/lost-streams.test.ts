import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LostStreams, type StreamState } from './lost-streams.ts'

const ME: StreamState = { user_id: 'me', session_id: 'mine', self_stream: false }
const AWAY: StreamState[] = [ME]
const ben = (session_id: string, self_stream: boolean): StreamState[] => [
  ME,
  { user_id: 'ben', session_id, self_stream },
]

function begin() {
  const lost = new LostStreams()
  const isKept = (voices: StreamState[], now: number) => lost.kept(['ben'], voices, now).length === 1
  assert.equal(isKept(ben('first', true), 0), true)
  return { lost, isKept }
}

test('FAULT-6: a watched stream is kept while its user is away, and until they share again', () => {
  const { isKept } = begin()
  assert.equal(isKept(AWAY, 1000), true)
  assert.equal(isKept(AWAY, 50_000), true)
  assert.equal(isKept(ben('second', false), 55_000), true, 'he is back, and shares in a moment')
  assert.equal(isKept(ben('second', true), 58_000), true)
  assert.equal(isKept(ben('second', false), 59_000), false, 'he has ended it himself')
})

test('FAULT-7: a watched stream is kept when its user has a new session, without having been away', () => {
  const { isKept } = begin()
  assert.equal(isKept(ben('second', false), 1000), true)
  assert.equal(isKept(ben('second', false), 10_000), true)
  assert.equal(isKept(ben('second', true), 10_500), true)
  assert.equal(isKept(ben('third', false), 11_000), true, 'his connection breaks again')
  assert.equal(isKept(ben('third', false), 21_000), false, 'he does not share again')
})

test('FAULT-7: a stream that its user has ended is not watched when they share again', () => {
  const { lost, isKept } = begin()
  assert.equal(isKept(ben('first', false), 1000), false)
  assert.deepEqual(lost.kept([], ben('first', true), 2000), [])
  assert.equal(isKept(ben('first', false), 3000), false, 'it was never lost')
})

test('FAULT-7: a stream that ended while nobody could see it is forgotten with the session that it belonged to', () => {
  const { isKept } = begin()
  assert.equal(isKept(AWAY, 1000), true, 'the list of the room was read again')
  assert.equal(isKept(ben('first', false), 2000), false, 'in this session he shares no more')
})

test('FAULT-6: a stream whose user stays away, or shares no more, is forgotten', () => {
  const away = begin()
  assert.equal(away.isKept(AWAY, 1000), true)
  assert.equal(away.isKept(AWAY, 61_000), false)
  assert.deepEqual(away.lost.kept([], AWAY, 61_500), [])
  assert.equal(away.isKept(ben('second', false), 62_000), false, 'nothing is left of the time before')
  const back = begin()
  assert.equal(back.isKept(ben('second', false), 5000), true)
  assert.equal(back.isKept(ben('second', false), 15_000), false)
})
