import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { RoomViewers } from './room-viewers.ts'
import { ViewerCounts } from './viewer-counts.ts'

test('LIST-12: the viewers of many rooms are counted less often, the longer a count takes', async () => {
  let asked = 0
  const database = {
    async query() {
      asked += 1
      await delay(10)
      return []
    },
  }
  const counts = new ViewerCounts(database, 'space')
  const rooms: RoomViewers[] = Array.from({ length: 10 }, () => ({
    roleIds: [],
    userIds: [],
    includes: () => true,
  }))
  assert.equal(await counts.refresh(rooms, 3), true)
  assert.deepEqual(
    rooms.map((viewers) => counts.of(viewers)),
    rooms.map(() => 3),
  )
  const once = asked
  counts.doubt()
  await delay(600)
  assert.equal(await counts.refresh(rooms, 4), false, 'one room is not all that was counted')
  assert.equal(asked, once)
})
