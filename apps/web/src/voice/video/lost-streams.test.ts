import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LostStreams, type RoomStreams } from './lost-streams.ts'

const LIVE: RoomStreams = { present: ['ben', 'me'], live: ['ben'] }
const QUIET: RoomStreams = { present: ['ben', 'me'], live: [] }
const AWAY: RoomStreams = { present: [], live: [] }

test('FAULT-6: a watched stream is kept while its user is away, and until they share again', () => {
  const lost = new LostStreams()
  const kept = (room: RoomStreams, now: number) => lost.kept(['ben'], room, now).length === 1
  assert.equal(kept(LIVE, 0), true)
  assert.equal(kept(AWAY, 1000), true)
  assert.equal(kept(AWAY, 50_000), true)
  assert.equal(kept(QUIET, 55_000), true, 'he is back, and shares in a moment')
  assert.equal(kept(LIVE, 58_000), true)
  assert.equal(kept(QUIET, 59_000), false, 'he has ended it himself')
})

test('FAULT-6: a stream whose user stays away, or shares no more, is forgotten', () => {
  const away = new LostStreams()
  assert.deepEqual(away.kept(['ben'], AWAY, 0), ['ben'])
  assert.deepEqual(away.kept(['ben'], AWAY, 60_000), [])
  assert.deepEqual(away.kept([], QUIET, 61_000), [])
  assert.deepEqual(away.kept(['ben'], QUIET, 62_000), [], 'nothing is left of the time before')
  const back = new LostStreams()
  back.kept(['ben'], AWAY, 0)
  assert.deepEqual(back.kept(['ben'], QUIET, 5000), ['ben'])
  assert.deepEqual(back.kept(['ben'], QUIET, 15_000), [])
})
