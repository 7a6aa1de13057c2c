import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Position } from '@foyer/sdk/position'
import { idAt } from './gateway-fixture.ts'

const NOW = Date.UTC(2026, 0, 1)

describe('the memory of received events', () => {
  test('covers the last half minute of the journal', () => {
    const position = new Position()
    position.accept(idAt(NOW))
    position.accept(idAt(NOW + 29_000))
    assert.equal(position.accept(idAt(NOW)), false)
    position.accept(idAt(NOW + 31_000))
    assert.equal(position.accept(idAt(NOW)), true, 'it would grow for ever')
    assert.equal(position.accept(idAt(NOW + 29_000)), false)
  })

  test('covers all of a replay, however long', () => {
    const position = new Position()
    position.accept(idAt(NOW))
    position.beginReplay()
    position.accept(idAt(NOW + 10_000))
    position.accept(idAt(NOW + 100_000))
    assert.equal(position.accept(idAt(NOW + 10_000)), false)
    position.endReplay()
    assert.equal(position.accept(idAt(NOW + 10_000)), true, 'it is pruned when the replay is over')
  })

  test('repeats what was received of a message after older events that a replay brings', () => {
    const position = new Position()
    const accept = (ms: number, ...messages: string[]) => position.accept(idAt(NOW + ms), messages)
    accept(10, 'a')
    accept(20, 'b')
    position.beginReplay()
    assert.equal(accept(5, 'a'), true)
    assert.equal(accept(10, 'a'), true)
    assert.equal(accept(15, 'c'), true)
    assert.equal(accept(20, 'b'), false)
    assert.equal(accept(10, 'a', 'b'), true)
    position.endReplay()
    assert.equal(accept(10, 'a'), false)
  })

  test('is limited in number, also during a replay', () => {
    const position = new Position()
    position.accept(idAt(NOW))
    position.beginReplay()
    for (let event = 1; event <= 20_000; event += 1) position.accept(idAt(NOW + event))
    assert.equal(position.accept(idAt(NOW + 1)), false)
    assert.equal(position.accept(idAt(NOW)), true)
  })
})
