import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { webPresences } from '@foyer/protocol/on-web'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { Random } from '#test/fuzz/random.ts'
import { awaitJobs } from '#test/outside/mailbox.ts'
import { type Processes, startProcesses } from '#test/processes/processes.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { type Answer, createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { withoutValkey } from '#test/valkey/valkey.ts'
import { monthOf } from './paths.ts'

/** Changes, after each of which all pages are compared with the rule. */
const STATES = Number(process.env.WEB_PAGE_STATES ?? 150)
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

/** Where and by whom something changes. */
interface Turn {
  scene: Scene
  room: Model['rooms'][number]
  author: Person
  old: Model['said'][number] | undefined
  token: string
}

/** Chooses the process that a request goes to. */
function at({ roll }: Scene, person: Person): Person {
  return person.at(processes.servers[roll(2)] ?? processes.servers[0])
}

async function succeed(answer: Promise<Answer>) {
  const { status, code, body } = await answer
  assert.ok(status < 300, `${status} ${code}`)
  return Object(body)
}

const changes: readonly ((turn: Turn) => Promise<unknown>)[] = [
  ...[say, say, say, remove, edit, appear, hide, openToWeb],
  ({ scene }) => allow(scene),
]

async function change(scene: Scene): Promise<void> {
  const { cast, roll, model } = scene
  const room = model.rooms[roll(model.rooms.length)]
  const author = cast[roll(cast.length)]
  assert.ok(room && author)
  const old = model.said[roll(Math.max(1, model.said.length))]
  scene.count += 1
  await changes[roll(changes.length)]?.({ scene, room, author, old, token: `token${scene.count}x` })
}

async function say({ scene, room, author, token }: Turn): Promise<void> {
  if (!room.isOpen && author !== scene.owner) return
  const path = `/api/rooms/${room.id}/messages`
  const { id, created_at } = await succeed(at(scene, author).call('POST', path, { content: token }))
  scene.model.said.push({ id, roomId: room.id, author, token, at: Date.parse(created_at) })
}

async function remove({ scene, old }: Turn): Promise<void> {
  if (old === undefined) return
  await succeed(at(scene, scene.owner).call('DELETE', `/api/rooms/${old.roomId}/messages/${old.id}`))
  scene.model.said = scene.model.said.filter((one) => one !== old)
}

async function edit({ scene, old, token }: Turn): Promise<void> {
  if (old === undefined || !scene.model.rooms.some(({ id, isOpen }) => id === old.roomId && isOpen)) return
  const path = `/api/rooms/${old.roomId}/messages/${old.id}`
  await succeed(at(scene, old.author).call('PATCH', path, { content: token }))
  old.token = token
}

async function appear({ scene, author }: Turn): Promise<void> {
  const presence = webPresences[scene.roll(webPresences.length)] ?? 'name'
  await succeed(at(scene, author).call('PATCH', '/api/users/@me', { web_presence: presence }))
  scene.model.presence.set(author.id, presence)
}

async function hide({ scene, room }: Turn): Promise<void> {
  const { space, owner, roll } = scene
  if (room.isOpen && roll(2) > 0) return
  const flags = { target_id: space.id, target_type: OverwriteTarget.Role, allow_flags: 0 }
  const deny_flags = room.isOpen ? Permission.ViewChannels : 0
  await at(scene, owner).client.overwrites.upsert(space.id, room.id, { ...flags, deny_flags })
  room.isOpen = !room.isOpen
}

async function openToWeb({ scene, room }: Turn): Promise<void> {
  const path = `/api/rooms/${room.id}/web`
  const owner = at(scene, scene.owner)
  if (room.onWebSince === undefined && scene.model.isAllowed && room.isOpen) {
    const { web } = await succeed(owner.call('PUT', path, {}))
    room.onWebSince = Date.parse(web.since)
  } else if (room.onWebSince !== undefined && scene.roll(10) === 0) {
    await succeed(owner.call('DELETE', path))
    room.onWebSince = undefined
  }
}

async function allow(scene: Scene): Promise<void> {
  const { operator, roll, model } = scene
  if (model.isAllowed && roll(4) > 0) return
  model.isAllowed = !model.isAllowed
  const body = { public_pages: model.isAllowed }
  await succeed(at(scene, operator).call('PATCH', '/api/operator/public-pages', body))
  // Jobs publish the rooms again.
  await awaitJobs(processes.servers[0])
}

/** Returns the messages that the rule lets anyone read in the room. */
function dueIn(model: Model, room: Model['rooms'][number]): Model['said'] {
  const since = model.isAllowed && room.isOpen ? room.onWebSince : undefined
  if (since === undefined) return []
  return model.said.filter(
    ({ roomId, author, at }) => roomId === room.id && model.presence.get(author.id) !== 'none' && at >= since,
  )
}

/** Reads a page and those that go on from it. */
async function readAll(first: URL): Promise<{ status: number; text: string }> {
  const answer = await fetch(first)
  let text = await answer.text()
  let next = laterIn(text)
  while (next !== undefined) {
    const later = await (await fetch(new URL(next, first))).text()
    text += later
    next = laterIn(later)
  }
  return { status: answer.status, text }
}

function laterIn(text: string): string | undefined {
  return /<link rel="next" href="([^"]+)">/.exec(text)?.[1]
}

/** Compares the pages of one room, from one of the processes, with the rule. */
async function compare({ space, roll, model, cast }: Scene, room: Model['rooms'][number]): Promise<void> {
  const { url } = processes.servers[roll(2)] ?? processes.servers[0]
  const isReadable = model.isAllowed && room.isOpen && room.onWebSince !== undefined
  const due = dueIn(model, room)
  for (const page of [monthOf(Date.now()), 'feed.atom']) {
    const { status, text } = await readAll(new URL(`/read/${space.id}/${room.id}/${page}`, url))
    assert.equal(status, isReadable ? 200 : 404)
    const expected = page === 'feed.atom' ? due.slice(-30) : due
    const shown = new Set(text.match(/token\d+x/g))
    seen += shown.size
    assert.deepEqual(shown, new Set(expected.map(({ token }) => token)))
    const named = expected.filter(({ author }) => model.presence.get(author.id) === 'name')
    const nameless = cast.filter((person) => !named.some(({ author }) => author === person))
    for (const person of nameless) assert.ok(!text.includes(`person${cast.indexOf(person)}`))
  }
}

/** Repeats a check that other processes may pass a moment later. */
async function within(milliseconds: number, check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + milliseconds
  let failure: unknown = await check().catch(asValue)
  while (failure !== undefined && Date.now() < deadline) failure = await check().catch(asValue)
  if (failure !== undefined) throw failure
}

function asValue(error: unknown): unknown {
  return error ?? new Error('failed')
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
