import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { webPresences } from '@foyer/protocol/web-rooms'
import { Random } from '#test/fuzz/random.ts'
import { awaitJobs } from '#test/outside/mailbox.ts'
import { type Processes, startProcesses } from '#test/processes/processes.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { withoutValkey } from '#test/valkey/valkey.ts'
import { monthOf } from './paths.ts'

/** Changes, after each of which all pages are compared with the rule. */
const STATES = Number(process.env.WEB_PAGE_STATES ?? 250)
const SEED = Number(process.env.WEB_PAGE_SEED ?? 7)

let processes: Processes
/** Messages that were on pages. */
let seen = 0
before(async () => {
  if (withoutValkey === false) processes = await startProcesses()
})
after(() => processes?.close())

/** Everything that decides about what can be read, as the rule says it. */
interface Model {
  isAllowed: boolean
  rooms: { id: string; isOpen: boolean; onWebSince: number | undefined }[]
  presence: Map<string, (typeof webPresences)[number]>
  said: { id: string; roomId: string; author: Person; token: string; at: number }[]
}

interface Scene {
  space: TestSpace
  operator: Person
  owner: Person
  cast: readonly Person[]
  roll: (sides: number) => number
  model: Model
  count: number
}

async function change(scene: Scene): Promise<void> {
  const { space, operator, owner, cast, roll, model } = scene
  const at = (person: Person) => person.at(processes.servers[roll(2)] ?? processes.servers[0])
  const room = model.rooms[roll(model.rooms.length)]
  const author = cast[roll(cast.length)]
  assert.ok(room && author)
  const old = model.said[roll(Math.max(1, model.said.length))]
  const succeed = async (answer: Promise<{ status: number; code: string | null; body: unknown }>) => {
    const { status, code, body } = await answer
    assert.ok(status < 300, `${status} ${code}`)
    return Object(body)
  }
  scene.count += 1
  const token = `token${scene.count}x`
  const say = async () => {
    const { id, created_at } = await succeed(
      at(author).call('POST', `/api/rooms/${room.id}/messages`, {
        content: token,
      }),
    )
    model.said.push({ id, roomId: room.id, author, token, at: Date.parse(created_at) })
  }
  const ways = [
    async () => (room.isOpen || author === owner ? say() : undefined),
    async () => (room.isOpen || author === owner ? say() : undefined),
    async () => (room.isOpen || author === owner ? say() : undefined),
    async () => {
      if (old === undefined) return
      await succeed(at(owner).call('DELETE', `/api/rooms/${old.roomId}/messages/${old.id}`))
      model.said = model.said.filter((one) => one !== old)
    },
    async () => {
      if (old === undefined || !model.rooms.some(({ id, isOpen }) => id === old.roomId && isOpen)) return
      await succeed(
        at(old.author).call('PATCH', `/api/rooms/${old.roomId}/messages/${old.id}`, { content: token }),
      )
      old.token = token
    },
    async () => {
      const presence = webPresences[roll(webPresences.length)] ?? 'name'
      await succeed(at(author).call('PATCH', '/api/users/@me', { web_presence: presence }))
      model.presence.set(author.id, presence)
    },
    async () => {
      const flags = { target_id: space.id, target_type: OverwriteTarget.Role, allow_flags: 0 }
      if (room.isOpen && roll(2) > 0) return
      const deny_flags = room.isOpen ? Permission.ViewChannels : 0
      await at(owner).client.overwrites.upsert(space.id, room.id, { ...flags, deny_flags })
      room.isOpen = !room.isOpen
    },
    async () => {
      const path = `/api/rooms/${room.id}/web`
      if (room.onWebSince === undefined && model.isAllowed && room.isOpen) {
        const { web } = await succeed(at(owner).call('PUT', path, {}))
        room.onWebSince = Date.parse(web.since)
      } else if (room.onWebSince !== undefined && roll(10) === 0) {
        await succeed(at(owner).call('DELETE', path))
        room.onWebSince = undefined
      }
    },
    async () => {
      if (model.isAllowed && roll(4) > 0) return
      model.isAllowed = !model.isAllowed
      await succeed(
        at(operator).call('PATCH', '/api/operator/public-pages', { public_pages: model.isAllowed }),
      )
      // Jobs publish the rooms again.
      await awaitJobs(processes.servers[0])
    },
  ]
  await ways[roll(ways.length)]?.()
}

/** Compares the pages of one room, from one of the processes, with the rule. */
async function compare({ space, roll, model, cast }: Scene, room: Model['rooms'][number]): Promise<void> {
  const { url } = processes.servers[roll(2)] ?? processes.servers[0]
  const isReadable = model.isAllowed && room.isOpen && room.onWebSince !== undefined
  const months = [monthOf(Date.now() - 3_600_000), monthOf(Date.now())]
  for (const page of [...new Set(months), 'feed.atom']) {
    const answer = await fetch(new URL(`/read/${space.id}/${room.id}/${page}`, url))
    const text = await answer.text()
    assert.equal(answer.status, isReadable ? 200 : 404)
    const due = model.said.filter(
      ({ roomId, author, at }) =>
        isReadable &&
        roomId === room.id &&
        model.presence.get(author.id) !== 'none' &&
        at >= (room.onWebSince ?? Number.POSITIVE_INFINITY),
    )
    const shown = new Set(text.match(/token\d+x/g))
    seen += shown.size
    const newest = page === 'feed.atom' ? due.slice(-30) : due
    if (months.length < 2 || months[0] === months[1])
      assert.deepEqual(shown, new Set(newest.map(({ token }) => token)))
    const named = new Set(newest.map(({ author }) => author.id))
    for (const { id } of cast)
      if (!named.has(id) || model.presence.get(id) !== 'name') assert.ok(!text.includes(nameOf(id, cast)))
  }
}

/** Repeats a check that other processes may pass a moment later. */
async function within(milliseconds: number, check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + milliseconds
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

function nameOf(id: string, cast: readonly Person[]): string {
  return `person${cast.findIndex((person) => person.id === id)}`
}

test('WEBPAGE-2, WEBPAGE-3, WEBPAGE-4, WEBPAGE-5: within a second of each change, on every process, pages show what the rule says', {
  skip: withoutValkey,
}, async () => {
  const [first] = processes.servers
  const operator = await createOperator(first, 'operator')
  const owner = await createPerson(first, 'owner')
  const eve = await createPerson(first, 'eve')
  const bob = await createPerson(first, 'bob')
  const cast = [owner, eve, bob]
  for (const [index, person] of cast.entries())
    await person.call('PATCH', '/api/users/@me', { alias: `person${index}` })
  const space = await makeSpace(owner, [eve, bob])
  const { id } = await owner.client.rooms.create(space.id, { name: 'second', type: 1 })
  const model: Model = {
    isAllowed: false,
    rooms: [space.general, id].map((roomId) => ({ id: roomId, isOpen: true, onWebSince: undefined })),
    presence: new Map(cast.map((person) => [person.id, 'name'])),
    said: [],
  }
  const random = new Random(SEED)
  const roll = (sides: number) => Math.floor(random.next() * sides)
  const scene: Scene = { space, operator, owner, cast, roll, model, count: 0 }
  for (let state = 0; state < STATES; state += 1) {
    await change(scene)
    for (const room of model.rooms) await within(1000, () => compare(scene, room))
  }
  assert.ok(seen > STATES, `only ${seen} messages could be read`)
})
