import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchList } from './watch-list.ts'

const nobody = new Set<string>()
const heightOf = () => 360
const cameras = Array.from({ length: 10 }, (_, at) => `u${at}`)
const words = (list: ReturnType<typeof watchList>) =>
  list.map(({ user_id, source }) => `${source} ${user_id}`)

test('chosen streams come first, then the cameras in sight', () => {
  const list = watchList({ streams: ['ben'], cameras: ['ada', 'ben'], speaking: new Set(['ben']), heightOf })
  assert.deepEqual(words(list), ['screen ben', 'camera ada', 'camera ben'])
})

test('of too many cameras, those of users who speak are watched', () => {
  const quiet = watchList({ streams: [], cameras, speaking: nobody, heightOf })
  assert.deepEqual(
    quiet.map(({ user_id }) => user_id),
    cameras.slice(0, 8),
  )
  const loud = watchList({ streams: ['ben'], cameras, speaking: new Set(['u9']), heightOf })
  assert.deepEqual(words(loud).slice(0, 3), ['screen ben', 'camera u9', 'camera u0'])
  assert.equal(loud.length, 8)
})

test('CALLWINDOW-1: large cameras come first, and hidden ones take the slots that are left', () => {
  const heights: Readonly<Record<string, number>> = { u0: 0, u1: 180, u2: 720, ben: 1080 }
  const list = watchList({
    streams: ['ben', 'cleo'],
    cameras: ['u0', 'u1', 'u2', 'u3'],
    speaking: new Set(['u1']),
    heightOf: ({ user_id }) => heights[user_id],
  })
  assert.deepEqual(
    list.map(({ user_id, height }) => [user_id, height]),
    [
      ['ben', 1080],
      ['cleo', 0],
      ['u2', 720],
      ['u1', 180],
      ['u0', 0],
      ['u3', 0],
    ],
  )
})
