import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Subscribe } from '@foyer/protocol/members'
import { combine, Subscriptions } from './wishes.ts'

function start(...links: string[]) {
  const told: Subscribe[] = []
  const subscriptions = new Subscriptions((subscription) => told.push(subscription))
  for (const link of links) subscriptions.join(link)
  const look = (link: string, space_id: string, ...from: number[]) =>
    subscriptions.ask(link, { space_id, member_ranges: from.map((first) => [first, first + 99]) })
  const ranges = () =>
    told.map(({ space_id, member_ranges }) => [space_id, member_ranges?.map(([from]) => from)])
  return { told, subscriptions, look, ranges }
}

test('TAB-4: of more ranges than the server shows, those come first that were looked at last', () => {
  const { subscriptions, look, ranges } = start('one', 'two')
  look('one', 'space', 0, 100)
  look('two', 'space', 0, 200, 300)
  assert.deepEqual(ranges().at(-1), ['space', [0, 200, 300]])
  subscriptions.prefer('one')
  assert.deepEqual(ranges().at(-1), ['space', [0, 100, 200]])
  subscriptions.prefer('one')
  assert.equal(ranges().length, 3, 'what is shown already is not asked for')
  subscriptions.leave('two')
  assert.deepEqual(ranges().at(-1), ['space', [0, 100]])
  subscriptions.leave('one')
  assert.deepEqual(ranges().at(-1), ['space', []])
})

test('TAB-4: of the rooms of one space the list is seen that was looked at last', () => {
  const { told, subscriptions } = start('one', 'two', 'three')
  const look = (link: string, room_id: string | null, from: number) =>
    subscriptions.ask(link, { space_id: 'space', room_id, member_ranges: [[from, from + 99]] })
  const seen = () => told.map(({ room_id, member_ranges }) => [room_id, member_ranges?.map(([from]) => from)])
  look('one', null, 0)
  look('two', 'plans', 0)
  look('three', 'plans', 100)
  assert.deepEqual(seen(), [
    [null, [0]],
    ['plans', [0]],
    ['plans', [100, 0]],
  ])
  subscriptions.prefer('two')
  assert.equal(seen().length, 3, 'what is shown already is not asked for')
  subscriptions.prefer('one')
  assert.deepEqual(seen().at(-1), [null, [0]])
  subscriptions.leave('one')
  assert.deepEqual(seen().at(-1), ['plans', [100, 0]])
})

test('TAB-4: of more lists than the server shows, those that were asked for longest ago are let go', () => {
  const { look, ranges } = start('one')
  for (let space = 1; space <= 11; space += 1) look('one', `space ${space}`, 0)
  assert.deepEqual(ranges().slice(-2), [
    ['space 11', [0]],
    ['space 1', []],
  ])
})

test('TAB-4: notices of typing are heard as long as one tab wants them, and a list is told again to who comes later', () => {
  const { told, subscriptions, look } = start('one', 'two')
  subscriptions.ask('one', { space_id: 'space', typing: false })
  assert.equal(told.length, 0, 'the other has not said so')
  subscriptions.ask('two', { space_id: 'space', typing: false })
  assert.deepEqual(
    told.map(({ typing }) => typing),
    [false],
  )
  look('one', 'other', 0)
  look('two', 'other', 0)
  assert.equal(told.length, 3)
  subscriptions.forgetTold()
  look('one', 'other', 0)
  assert.equal(told.length, 4)
})

test('TAB-3: to be hidden counts before all, and to be there before idle', () => {
  const seen = (...statuses: ('online' | 'idle' | 'dnd' | 'invisible')[]) =>
    combine(statuses.map((status) => ({ status })))?.status
  assert.equal(seen('idle', 'online'), 'online')
  assert.equal(seen('online', 'dnd'), 'dnd')
  assert.equal(seen('dnd', 'invisible', 'online'), 'invisible')
  assert.equal(seen(), undefined)
})
