import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ledger } from '../world/ledger.ts'
import { type Copy, compareCopies } from './copies.ts'
import { Findings } from './findings.ts'
import type { StoredMessage } from './stored.ts'

const NEWS = 'news'

test('a follow that has copied everything since it began has no findings', () => {
  const stage = openStage()
  assert.deepEqual(stage.compare(), [])
})

test('a message without a copy is lost, unless it was sent while the follow began', () => {
  const stage = openStage()
  stage.copies.splice(1, 1)
  assert.deepEqual(stage.compare(), ['lost'])
  stage.follow.answeredAt = Number.POSITIVE_INFINITY
  assert.deepEqual(stage.compare(), [])
})

test('a second copy of a message is doubled', () => {
  const stage = openStage()
  stage.copies.splice(1, 0, ...stage.copies.slice(0, 1))
  assert.deepEqual(stage.compare(), ['doubled'])
})

test('a copy that differs from its message, or is of one from before the follow, is altered', () => {
  const edited = openStage()
  edited.copies[1] = { originalId: 'message 1', seq: 2, content: 'other' }
  assert.deepEqual(edited.compare(), ['altered'])
  const early = openStage()
  early.follow.askedAt = performance.now() + 1
  assert.deepEqual(early.compare(), ['altered', 'altered', 'altered'])
})

test('a copy of a deleted message is lost, and copies in another order are unordered', () => {
  const deleted = openStage()
  deleted.rows.pop()
  assert.deepEqual(deleted.compare(), ['lost'])
  const mixed = openStage()
  mixed.copies.reverse()
  assert.deepEqual(mixed.compare(), ['unordered'])
})

/** Three acknowledged messages of a followed room, with their copies. */
function openStage() {
  const ledger = new Ledger(new Findings())
  const follow = {
    webhookId: 'webhook',
    source: { id: NEWS, address: NEWS, weight: 1 },
    askedAt: performance.now() - 2,
    answeredAt: performance.now() - 1,
  }
  const rows = [0, 1, 2].map((number): StoredMessage => {
    const entry = ledger.begin(NEWS, 'ann', 'says something')
    const seen = { id: `message ${number}`, seq: number + 1, authorId: 'ann', content: entry.content }
    ledger.acknowledge(entry, { ...seen, channelId: NEWS })
    return { ...seen, channelId: NEWS }
  })
  const copies = rows.map(({ id, seq, content }): Copy => ({ originalId: id, seq, content }))
  const compare = () =>
    compareCopies(follow, copies, { ledger, stored: { messages: new Map([[NEWS, rows]]) } }).map(
      ([violation]) => violation,
    )
  return { follow, rows, copies, compare }
}
