import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { MemberLookup } from './lookup.ts'

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }))
afterEach(() => mock.timers.reset())

function start() {
  const asked: [string, number][] = []
  const lookup = new MemberLookup({
    requestMembers: ({ space_id, user_ids }) => {
      asked.push([space_id, user_ids?.length ?? 0])
      return Promise.reject(new Error('nobody is here'))
    },
  })
  return { lookup, asked }
}

test('members requested at the same time are batched, a hundred at a time', () => {
  const { lookup, asked } = start()
  const ids = Array.from({ length: 150 }, (_, place) => `m${place}`)
  for (const id of ids) lookup.want('space', [id])
  lookup.want('other', ['m0'])
  mock.timers.tick(40)
  assert.deepEqual(asked, [
    ['space', 100],
    ['space', 50],
    ['other', 1],
  ])
})

test('a member is requested again only after a while, or after a new READY', () => {
  const { lookup, asked } = start()
  const want = () => {
    lookup.want('space', ['a'])
    mock.timers.tick(40)
  }
  want()
  want()
  assert.equal(asked.length, 1)
  lookup.forget()
  want()
  assert.equal(asked.length, 2)
  mock.timers.tick(60_000)
  want()
  assert.equal(asked.length, 3)
})
