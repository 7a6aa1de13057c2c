import assert from 'node:assert/strict'
import type { Events } from '@foyer/protocol/events'
import { Opcode } from '@foyer/protocol/gateway'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import type { SpaceState } from '@foyer/protocol/spaces'
import { Forums } from '@foyer/sdk/api/forums'
import { openGateway, openSession } from '../gateway-client.ts'
import type { Person } from '../scenes/people.ts'
import { makeSpace } from '../scenes/spaces.ts'
import type { TestServer } from '../server.ts'
import { type Dice, join, planChange } from './changes.ts'
import { Mirror } from './mirror.ts'
import { chooseChanges, statesDuring } from './pairs.ts'
import { type Probe, Prober } from './probes.ts'
import { mayIn, type SpaceModel, sent, viewable } from './space-model.ts'
import { Wanderer } from './wanderer.ts'

/** A space on the server, its model, and the clients that watch it. */
export interface Arena {
  server: TestServer
  space: SpaceModel
  people: readonly Person[]
  /** One client per person, always connected. It knows neither threads nor forums. */
  mirrors: readonly Mirror[]
  /** One client per person that disconnects and comes back. It asks for threads and forums. */
  roamers: readonly Roamer[]
  prober: Prober
  steps: number
}

interface Roamer {
  mirror: Mirror
  wanderer: Wanderer
  /** Rooms of the messages sent while the client was away, by content. */
  missed: Map<string, string>
}

const ASKED = ['threads', 'forums']

/** Random choices for one step. */
export interface Turn {
  dice: Dice
  /** A second change, made at the same time if the order does not matter. */
  other: Dice | null
  /** Index of the roamer that disconnects or comes back during the step. No roamer does if the index is too high. */
  roamer: number
}

export async function openArena(server: TestServer, people: readonly Person[]): Promise<Arena> {
  const [owner] = people
  assert.ok(owner)
  const made = await makeSpace(owner, people.slice(1, -1))
  const [everyone] = await owner.client.roles.list(made.id)
  const space: SpaceModel = {
    id: made.id,
    ownerId: owner.id,
    roles: [{ id: made.id, permissions: everyone?.permissions ?? 0 }],
    members: new Map(people.slice(0, -1).map(({ id }) => [id, new Set()])),
    rooms: made.rooms.map(({ id, type, parent_id }) => ({ id, type, parentId: parent_id })),
    overwrites: [],
  }
  await appointModerators(owner, space, people.slice(1, 3))
  const mirrors = await Promise.all(people.map((person) => watch(person, made.id)))
  const roamers = await Promise.all(people.map((person) => wander(server, person, made.id)))
  return { server, space, people, mirrors, roamers, prober: new Prober(), steps: 0 }
}

async function watch({ id, client }: Person, spaceId: string): Promise<Mirror> {
  const mirror = new Mirror(id, client.gateway, spaceId)
  const ready = new Promise((resolve) => client.gateway.on('READY', resolve))
  client.gateway.connect()
  await ready
  return mirror
}

async function wander(server: TestServer, { id }: Person, spaceId: string): Promise<Roamer> {
  const wanderer = new Wanderer(server, id, ASKED)
  const mirror = new Mirror(id, wanderer.events, spaceId, true)
  await wanderer.comeBack()
  return { mirror, wanderer, missed: new Map() }
}

/** Gives two members some permissions, so that they may make some changes and not others. */
async function appointModerators(
  owner: Person,
  space: SpaceModel,
  moderators: readonly Person[],
): Promise<void> {
  const permissions = Permission.ManageRoles | Permission.ManageChannels
  const { id } = await owner.client.roles.create(space.id, { name: 'moderator', permissions })
  space.roles.push({ id, permissions })
  for (const moderator of moderators) {
    await owner.client.roles.assign(space.id, moderator.id, id)
    space.members.get(moderator.id)?.add(id)
  }
}

export function closeArena({ people, roamers }: Arena): void {
  for (const { client } of people) client.gateway.close()
  for (const { wanderer } of roamers) wanderer.goAway()
}

/** Makes one or two changes, and compares all answers and events with the model. */
export async function step(arena: Arena, { dice, other, roamer }: Turn): Promise<void> {
  const { space, roamers } = arena
  const ids = idsOf(arena.people)
  const changes = chooseChanges(space, ids, [dice, other])
  const earlier = statesDuring(space, ids, changes)
  await Promise.all([makeChanges(arena, dice, changes), roam(roamers[roamer])])
  arena.steps += 1
  const probes = await arena.prober.send(ownerOf(arena), space, `${arena.steps}`)
  const marks = await mark(arena)
  const present = roamers.filter(({ wanderer }) => !wanderer.isAway)
  const mirrors = [...arena.mirrors, ...present.map(({ mirror }) => mirror)]
  await Promise.all(mirrors.map((mirror) => mirror.reach(marks.get(mirror.userId) ?? '')))
  for (const mirror of mirrors) compareMirror(arena, mirror, probes)
  for (const each of present) compareMissed(each, [...earlier, space])
  for (const { missed } of roamers.filter(({ wanderer }) => wanderer.isAway))
    for (const { content, roomId } of probes) missed.set(content, roomId)
  await Promise.all(arena.people.map((person) => compareAnswers(arena, person)))
  await compareReady(arena, dice)
}

/** Brings back all roamers that are away. */
export async function returnAll(arena: Arena, turn: Turn): Promise<void> {
  for (const [index, { wanderer }] of arena.roamers.entries())
    if (wanderer.isAway) await step(arena, { ...turn, roamer: index })
}

async function roam(roamer: Roamer | undefined): Promise<void> {
  if (roamer?.wanderer.isAway === false) return roamer.wanderer.goAway()
  if (roamer !== undefined) roamer.mirror.isCatchingUp = true
  await roamer?.wanderer.comeBack()
}

async function makeChanges(arena: Arena, dice: Dice, changes: readonly Dice[]): Promise<void> {
  if (changes.length === 0) return comeIn(arena, dice)
  const answers = await Promise.all(changes.map((each) => ask(arena, each)))
  // Plans each change again, because the one before it has changed the space.
  for (const [index, each] of changes.entries())
    planChange(arena.space, idsOf(arena.people), each).apply(answers[index] ?? '')
}

/** @returns the id of the created object, or an empty string */
async function ask({ space, people }: Arena, dice: Dice): Promise<string> {
  const planned = planChange(space, idsOf(people), dice)
  const actor = people.find(({ id }) => id === planned.actor)
  const answer = await actor?.call(planned.method, planned.path, planned.body)
  const what = `${planned.method} ${planned.path} ${JSON.stringify(planned.body)}: ${answer?.code}`
  assert.equal(answer?.status, planned.status, what)
  return idOf(answer?.body)
}

/** Lets a user who is not a member join with an invite of the owner. */
async function comeIn({ space, people }: Arena, dice: Dice): Promise<void> {
  const outside = people.filter(({ id }) => !space.members.has(id))
  const guest = outside[dice.first % Math.max(1, outside.length)]
  const room = space.rooms[0]
  if (guest === undefined || room === undefined) return
  const { code } = await ownerOf({ space, people }).client.invites.create(space.id, room.id)
  await guest.client.invites.join(code)
  join(space, guest)
}

/**
 * Publishes a mark that each client will receive: members in an event of the space, other users in an event of their own.
 */
async function mark({ space, people, steps }: Arena): Promise<Map<string, string>> {
  const outside = people.filter(({ id }) => !space.members.has(id))
  await ownerOf({ space, people }).client.spaces.update(space.id, { description: `${steps}` })
  await Promise.all(outside.map(({ id, client }) => client.users.updateMe({ custom: `${steps} ${id}` })))
  return new Map(people.map(({ id }) => [id, space.members.has(id) ? `${steps}` : `${steps} ${id}`]))
}

function compareMirror({ space }: Arena, mirror: Mirror, probes: readonly Probe[]): void {
  const { userId: id, isAsking } = mirror
  assert.deepEqual(mirror.surprises, [], `what surprised ${id}`)
  const isMember = space.members.has(id)
  assert.equal(mirror.isIn, isMember, 'whether the client is in the space')
  const rooms = sent(space, id, isAsking)
  const heard = new Set(mirror.heard)
  assert.equal(heard.size, mirror.heard.length, `${id} heard each message once`)
  for (const { content, roomId, isInThread } of probes) {
    const isDue = rooms.includes(roomId) && (isAsking || !isInThread)
    assert.equal(heard.has(content), isDue, `whether ${id} heard ${content}`)
  }
  if (!isMember) return
  assert.equal(mirror.ownerId, space.ownerId)
  assert.deepEqual(inOrder(mirror.rooms.values()), rooms, `the rooms that ${id} has heard of`)
  assert.deepEqual(inOrder(mirror.roles.values()), idsOf(space.roles), 'the roles')
  compareParts(space, mirror, {
    roles: [...mirror.roles.values()],
    overwrites: [...mirror.overwrites.values()],
    own: mirror.ownRoles,
  })
}

/**
 * Checks that a returning client received the messages it missed. Skips rooms that its user may view in only some of the
 * states during its return.
 */
function compareMissed({ mirror, missed }: Roamer, states: readonly SpaceModel[]): void {
  const views = states.map((state) => viewable(state, mirror.userId))
  const heard = new Set(mirror.heard)
  for (const [content, roomId] of missed) {
    const [may, ...others] = new Set(views.map((rooms) => rooms.includes(roomId)))
    if (others.length === 0)
      assert.equal(heard.has(content), may, `whether ${mirror.userId} heard ${content} afterwards`)
  }
  missed.clear()
}

async function compareAnswers({ space }: Arena, person: Person): Promise<void> {
  const rooms = await person.call('GET', `/api/spaces/${space.id}/rooms`)
  const isMember = space.members.has(person.id)
  assert.equal(rooms.status, isMember ? 200 : 403)
  const views = viewable(space, person.id)
  if (isMember) {
    assert.deepEqual(idsOf(await person.client.rooms.list(space.id)), sent(space, person.id, false))
    assert.deepEqual(idsOf(await person.client.api(Forums).listRooms(space.id)), views)
  }
  const answers = space.rooms.map(async ({ id, type }) => {
    const { status } = await person.call('GET', `/api/rooms/${id}/messages`)
    assert.equal(status, views.includes(id) ? 200 : 403, `messages of ${id}`)
    const typing = await person.call('POST', `/api/rooms/${id}/typing`)
    const maySend = views.includes(id) && mayIn(space, person.id, id, 'SendMessages')
    const done = type === RoomType.Forum ? 400 : 204
    if (type !== RoomType.Category) assert.equal(typing.status, maySend ? done : 403)
  })
  await Promise.all(answers)
}

async function compareReady({ server, space, people }: Arena, dice: Dice): Promise<void> {
  const person = people[dice.more % people.length]
  assert.ok(person)
  const isAsking = dice.second % 2 === 0
  const client = await openGateway(server)
  const identity = await openSession(server, person.id)
  client.send(Opcode.Identify, { ...identity, capabilities: isAsking ? ASKED : [] })
  const { spaces } = readyOf((await client.findEvent('READY')).text)
  client.close()
  const state = spaces.find(({ id }) => id === space.id)
  assert.equal(state !== undefined, space.members.has(person.id))
  if (state === undefined) return
  assert.deepEqual(idsOf(state.rooms), sent(space, person.id, isAsking))
  const { roles, overwrites, member } = state
  compareParts(space, { userId: person.id, isAsking }, { roles, overwrites, own: member.roles })
}

interface Parts extends Pick<SpaceState, 'roles' | 'overwrites'> {
  own: readonly string[]
}

function compareParts(
  space: SpaceModel,
  { userId, isAsking }: Pick<Mirror, 'userId' | 'isAsking'>,
  { roles, overwrites, own }: Parts,
): void {
  const permissions = new Map(roles.map((role) => [role.id, role.permissions]))
  assert.deepEqual(permissions, new Map(space.roles.map((role) => [role.id, role.permissions])))
  assert.deepEqual(own.toSorted(), [...(space.members.get(userId) ?? [])].toSorted())
  const rooms = sent(space, userId, isAsking)
  const expected = space.overwrites.filter(({ roomId }) => rooms.includes(roomId))
  assert.deepEqual(
    overwrites
      .map((each) => `${each.room_id} ${each.target_id} ${each.allow_flags} ${each.deny_flags}`)
      .toSorted(),
    expected.map((each) => `${each.roomId} ${each.targetId} ${each.allow} ${each.deny}`).toSorted(),
  )
}

function ownerOf({ space, people }: Pick<Arena, 'space' | 'people'>): Person {
  const owner = people.find(({ id }) => id === space.ownerId)
  assert.ok(owner)
  return owner
}

function inOrder(parts: Iterable<{ id: string; position: number }>): string[] {
  return idsOf([...parts].toSorted((one, other) => one.position - other.position))
}

function idsOf(parts: readonly { id: string }[]): string[] {
  return parts.map(({ id }) => id)
}

function idOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : ''
}

function readyOf(text: string): Events['READY'] {
  const frame: { d: Events['READY'] } = JSON.parse(text)
  return frame.d
}
