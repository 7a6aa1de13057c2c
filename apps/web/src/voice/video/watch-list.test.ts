import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchList } from './watch-list.ts'

const nobody = new Set<string>()
const cameras = Array.from({ length: 10 }, (_, at) => `u${at}`)
const words = (list: ReturnType<typeof watchList>) =>
  list.map(({ user_id, source }) => `${source} ${user_id}`)

test('chosen streams come first, then the cameras in sight', () => {
  const list = watchList({ streams: ['ben'], cameras: ['ada', 'ben'], speaking: new Set(['ben']) })
  assert.deepEqual(words(list), ['screen ben', 'camera ada', 'camera ben'])
})

test('of too many cameras, those of users who speak are watched', () => {
  const quiet = watchList({ streams: [], cameras, speaking: nobody })
  assert.deepEqual(
    quiet.map(({ user_id }) => user_id),
    cameras.slice(0, 8),
  )
  const loud = watchList({ streams: ['ben'], cameras, speaking: new Set(['u9']) })
  assert.deepEqual(words(loud).slice(0, 3), ['screen ben', 'camera u9', 'camera u0'])
  assert.equal(loud.length, 8)
})
