import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { eachOf } from './at-once.ts'

test('BACKUP-10: after a failure no other item is begun', async () => {
  const begun: number[] = []
  const work = async (item: number) => {
    begun.push(item)
    await turn()
    if (item === 1) throw new Error('the disk is full')
  }
  await assert.rejects(eachOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 3, work), { message: 'the disk is full' })
  assert.ok(begun.length <= 4, `${begun.length} were begun`)
})
