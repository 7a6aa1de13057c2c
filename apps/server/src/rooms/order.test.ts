import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner)
})

const pathOf = (roomId: string) => `/api/spaces/${space.id}/rooms/${roomId}`
const move = (roomId: string, position: number) => owner.call('PATCH', pathOf(roomId), { position })

/** Returns the room names in order, and checks that the positions have no gaps or duplicates. */
async function order(): Promise<string[]> {
  const rooms = await owner.client.rooms.list(space.id)
  assert.deepEqual(
    rooms.map(({ position }) => position),
    [...rooms.keys()],
  )
  return rooms.map(({ name }) => name)
}

function holdSpaceRow() {
  return holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
}

test('ROOM-7: a moved room gets the requested position; the others close up and make room', async () => {
  const [texts = '', general = '', , lounge = ''] = space.rooms.map(({ id }) => id)
  await move(general, 2)
  assert.deepEqual(await order(), ['Text rooms', 'Voice rooms', 'general', 'lounge'])
  await move(lounge, 0)
  assert.deepEqual(await order(), ['lounge', 'Text rooms', 'Voice rooms', 'general'])
  await move(texts, 4)
  assert.deepEqual(await order(), ['lounge', 'Voice rooms', 'general', 'Text rooms'])
  const { position } = await owner.client.rooms.update(space.id, lounge, { position: 2147483647 })
  assert.equal(position, 3)
  assert.deepEqual(await order(), ['Voice rooms', 'general', 'Text rooms', 'lounge'])
})

test('ROOM-7: the order is that of a list after any creations, moves and deletions', async () => {
  const seed = Date.now() % 1_000_000
  const below = randomBelow(seed)
  const model = space.rooms.map(({ id, type, parent_id }) => ({ id, type, parent_id }))
  const pick = <T>(list: readonly T[]): T | undefined => list[below(list.length)]
  const steps = {
    async create() {
      const type = pick([RoomType.Text, RoomType.Voice, RoomType.Category]) ?? RoomType.Text
      const parent = pick([null, ...model.filter((room) => room.type === RoomType.Category)])
      const body = { name: 'room', type, parent_id: parent?.id ?? null }
      const { id } = await owner.client.rooms.create(space.id, body)
      model.push({ id, type, parent_id: type === RoomType.Category ? null : body.parent_id })
    },
    async move() {
      const room = pick(model)
      if (room === undefined) return
      const position = below(model.length + 3)
      await owner.client.rooms.update(space.id, room.id, { position })
      model.splice(model.indexOf(room), 1)
      model.splice(position, 0, room)
    },
    async delete() {
      const room = pick(model)
      if (room === undefined) return
      await owner.client.rooms.delete(space.id, room.id)
      model.splice(model.indexOf(room), 1)
      for (const child of model) if (child.parent_id === room.id) child.parent_id = null
    },
  }
  for (let count = 0; count < 200; count += 1) {
    const name = pick(['create', 'move', 'move', 'move', 'delete'] as const) ?? 'move'
    await steps[name]()
    const rooms = await owner.client.rooms.list(space.id)
    assert.deepEqual(
      rooms.map(({ id, type, parent_id, position }) => ({ id, type, parent_id, position })),
      model.map((room, position) => ({ ...room, position })),
      `seed ${seed}, step ${count}: ${name}`,
    )
  }
})

test('ROOM-7: simultaneous moves are serialized', async () => {
  const lock = await holdSpaceRow()
  const moves = space.rooms.flatMap(({ id }) => [move(id, 0), move(id, 3)])
  await lock.waitForBlocked(moves.length)
  await lock.release()
  for (const { status } of await Promise.all(moves)) assert.equal(status, 200)
  assert.equal((await order()).length, 4)
})

test('ROOM-7: a room created after a deletion leaves no gap', async () => {
  const lock = await holdSpaceRow()
  const deleted = owner.call('DELETE', pathOf(space.general))
  await lock.waitForBlocked(1)
  const created = owner.call('POST', `/api/spaces/${space.id}/rooms`, { name: 'new', type: 1 })
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual([(await deleted).status, (await created).status], [204, 200])
  assert.deepEqual(await order(), ['Text rooms', 'Voice rooms', 'lounge', 'new'])
})

test('ROOM-7: simultaneous moves, creations and deletions leave every position once', async () => {
  const [texts = '', general = '', voices = '', lounge = ''] = space.rooms.map(({ id }) => id)
  const lock = await holdSpaceRow()
  const create = () => owner.call('POST', `/api/spaces/${space.id}/rooms`, { name: 'new', type: 1 })
  const changes = [
    move(texts, 3),
    owner.call('DELETE', pathOf(general)),
    create(),
    owner.call('DELETE', pathOf(voices)),
    move(lounge, 0),
    create(),
    move(general, 2),
  ]
  await lock.waitForBlocked(changes.length)
  await lock.release()
  const statuses = (await Promise.all(changes)).map(({ status }) => status)
  assert.deepEqual(statuses.slice(0, 6), [200, 204, 200, 204, 200, 200])
  assert.ok(statuses[6] === 200 || statuses[6] === 404, `${statuses[6]}`)
  assert.deepEqual((await order()).toSorted(), ['Text rooms', 'lounge', 'new', 'new'])
})

/** Pseudo-random numbers from a seed, so that a failure can be reproduced. */
function randomBelow(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}
