import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { RoomLists } from './room-lists.ts'

const { SendMessages, ViewChannels } = Permission

let server: TestServer
let ada: Person
let space: TestSpace
let crew: string

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  space = await makeSpace(ada)
  crew = (await ada.client.roles.create(space.id, { name: 'Crew' })).id
})
after(() => server.close())

const onRole = (target_id: string, allow_flags: number, deny_flags = 0) => ({
  target_id,
  target_type: OverwriteTarget.Role,
  allow_flags,
  deny_flags,
})

async function makeRoom(overwrites: ReturnType<typeof onRole>[]): Promise<string> {
  return (await ada.client.rooms.create(space.id, { name: 'plans', type: 1, overwrites })).id
}

test('LIST-13: rooms with the same viewers share one list, and those that all members view that of the space', async () => {
  const hidden = onRole(space.id, 0, ViewChannels)
  const one = await makeRoom([hidden, onRole(crew, ViewChannels)])
  const alike = await makeRoom([onRole(crew, ViewChannels | SendMessages), hidden])
  const other = await makeRoom([hidden])
  const quiet = await makeRoom([onRole(space.id, 0, SendMessages), onRole(crew, ViewChannels)])
  const lists = new RoomLists()
  lists.adopt(await server.deps.snapshots.find(space.id))
  for (let number = 0; number < 20; number += 1)
    lists.set({
      userId: `user ${number}`,
      name: `name ${number}`,
      roles: number % 4 === 0 ? [crew] : [],
      isOnline: true,
    })
  const sizeOf = (roomId: string | null) => lists.of(roomId)?.list.size
  assert.deepEqual([one, alike, other, quiet, null].map(sizeOf), [5, 5, 0, 20, 20])
  assert.equal(lists.of(one), lists.of(alike))
  assert.equal(lists.of(quiet)?.list, lists.whole)
  assert.equal(lists.of('nowhere'), undefined)
  assert.equal(lists.viewersOf([one, alike, other, quiet, null]).length, 2)
  const kept = lists.of(one)
  await makeRoom([hidden])
  lists.adopt(await server.deps.snapshots.find(space.id))
  assert.equal(lists.of(one), kept, 'what does not decide changes nothing')
  lists.set({ userId: 'user 0', name: 'name 0', roles: [], isOnline: false })
  lists.set({ userId: 'user 1', name: 'name 1', roles: [crew], isOnline: true })
  lists.remove('user 4')
  assert.deepEqual(kept?.list.snapshotFor().range(0, 99), ['user 1', 'user 12', 'user 16', 'user 8'])
  lists.forgetUnseen([alike], performance.now() + 61_000)
  assert.deepEqual([lists.of(one), lists.viewersOf([one, alike]).length], [kept, 1])
  await ada.client.roles.update(space.id, crew, { permissions: Permission.Administrator })
  lists.adopt(await server.deps.snapshots.find(space.id))
  assert.deepEqual([one, other].map(sizeOf), [4, 4])
})

test('LIST-13: the lists of the last four rooms that were left are kept up to date', async () => {
  const rooms: string[] = []
  for (let number = 0; number < 6; number += 1) {
    const { id } = await ada.client.roles.create(space.id, { name: `Crew ${number}` })
    rooms.push(await makeRoom([onRole(space.id, 0, ViewChannels), onRole(id, ViewChannels)]))
  }
  const lists = new RoomLists()
  lists.adopt(await server.deps.snapshots.find(space.id))
  const all = () => rooms.map((roomId) => lists.of(roomId))
  const now = performance.now()
  const first = rooms.map((roomId, index) => {
    const list = lists.of(roomId)
    lists.forgetUnseen([roomId], now + index)
    return list
  })
  assert.deepEqual(
    all().map((list, index) => list === first[index]),
    [false, true, true, true, true, true],
  )
  const second = all()
  lists.forgetUnseen(rooms.slice(0, 2), now + 30_000)
  lists.forgetUnseen(rooms.slice(0, 1), now + 80_000)
  assert.deepEqual(
    all().map((list, index) => list === second[index]),
    [true, true, false, false, false, false],
  )
})
