import assert from 'node:assert/strict'
import type { Events } from '@foyer/protocol/events'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import type { SpaceState } from '@foyer/protocol/spaces'
import { connect } from '../gateway-client.ts'
import type { Person } from '../people.ts'
import type { TestServer } from '../server.ts'
import { makeSpace } from '../spaces.ts'
import { type Dice, join, planChange } from './changes.ts'
import { Mirror } from './mirror.ts'
import { mayIn, type SpaceModel, viewable } from './space-model.ts'

/** A space of the server's beside its model, and who watches it. */
export interface Arena {
  server: TestServer
  space: SpaceModel
  people: readonly Person[]
  mirrors: readonly Mirror[]
  steps: number
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
  const mirrors = people.map((person) => new Mirror(person, made.id))
  await Promise.all(mirrors.map((mirror) => mirror.connect()))
  return { server, space, people, mirrors, steps: 0 }
}

/** Members who may change much, and not all: else nearly everything is allowed or nothing is. */
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

export function closeArena({ mirrors }: Arena): void {
  for (const mirror of mirrors) mirror.close()
}

/** Makes one change, and holds everything that can be asked and heard afterwards against the model. */
export async function step(arena: Arena, dice: Dice): Promise<void> {
  await (dice.kind % 12 === 11 ? comeIn(arena, dice) : change(arena, dice))
  arena.steps += 1
  const probes = await sendProbes(arena)
  await Promise.all(arena.mirrors.map((mirror) => reachPresent(arena, mirror)))
  for (const mirror of arena.mirrors) compareMirror(arena, mirror, probes)
  await Promise.all(arena.people.map((person) => compareAnswers(arena, person)))
  await compareReady(arena, dice)
}

async function change({ space, people }: Arena, dice: Dice): Promise<void> {
  const ids = people.map(({ id }) => id)
  const planned = planChange(space, ids, dice)
  const actor = people.find(({ id }) => id === planned.actor)
  const answer = await actor?.call(planned.method, planned.path, planned.body)
  const what = `${planned.method} ${planned.path} ${JSON.stringify(planned.body)}: ${answer?.code}`
  assert.equal(answer?.status, planned.status, what)
  planned.apply(idOf(answer?.body))
}

/** Somebody who is outside joins by an invite of the owner's. */
async function comeIn({ space, people }: Arena, dice: Dice): Promise<void> {
  const outside = people.filter(({ id }) => !space.members.has(id))
  const guest = outside[dice.first % Math.max(1, outside.length)]
  const room = space.rooms[0]
  if (guest === undefined || room === undefined) return
  const { code } = await ownerOf({ space, people }).client.invites.create(space.id, room.id)
  await guest.client.invites.join(code)
  join(space, guest)
}

/** A message to every room by who may do everything: who hears which? */
async function sendProbes({ space, people, steps }: Arena): Promise<Map<string, string>> {
  const rooms = space.rooms.filter(({ type }) => type !== RoomType.Category)
  const { client } = ownerOf({ space, people })
  const contents = rooms.map(({ id }) => [`${steps} ${id}`, id] as const)
  await Promise.all(contents.map(([content, id]) => client.messages.create(id, { content })))
  return new Map(contents)
}

/** Marks the present in the space's events, and for outsiders in their own. */
async function reachPresent({ space, people, steps }: Arena, mirror: Mirror): Promise<void> {
  const mark = `${steps} ${mirror.person.id}`
  if (space.members.has(mirror.person.id))
    await ownerOf({ space, people }).client.spaces.update(space.id, { description: mark })
  else await mirror.person.client.users.updateMe({ custom: mark })
  await mirror.reach(mark)
}

function compareMirror({ space }: Arena, mirror: Mirror, probes: ReadonlyMap<string, string>): void {
  const { id } = mirror.person
  assert.deepEqual(mirror.surprises, [], `what surprised ${id}`)
  const isMember = space.members.has(id)
  assert.equal(mirror.isIn, isMember, 'whether the client is in the space')
  const rooms = viewable(space, id)
  const heard = new Set(mirror.heard)
  for (const [content, roomId] of probes)
    assert.equal(heard.has(content), rooms.includes(roomId), `whether ${id} heard ${content}`)
  if (!isMember) return
  assert.equal(mirror.ownerId, space.ownerId)
  assert.deepEqual(inOrder(mirror.rooms.values()), rooms, `the rooms that ${id} has heard of`)
  assert.deepEqual(inOrder(mirror.roles.values()), idsOf(space.roles), 'the roles')
  compareParts(space, id, {
    roles: [...mirror.roles.values()],
    overwrites: [...mirror.overwrites.values()],
    own: mirror.ownRoles,
  })
}

async function compareAnswers({ space }: Arena, person: Person): Promise<void> {
  const rooms = await person.call('GET', `/api/spaces/${space.id}/rooms`)
  const isMember = space.members.has(person.id)
  assert.equal(rooms.status, isMember ? 200 : 403)
  const views = viewable(space, person.id)
  if (isMember) assert.deepEqual(idsOf(await person.client.rooms.list(space.id)), views)
  const answers = space.rooms.map(async ({ id, type }) => {
    const answer = await person.call('GET', `/api/rooms/${id}/messages`)
    assert.equal(answer.status, views.includes(id) ? 200 : 403, `messages of ${id}`)
    const typing = await person.call('POST', `/api/rooms/${id}/typing`)
    const maySend = views.includes(id) && mayIn(space, person.id, id, 'SendMessages')
    if (type !== RoomType.Category) assert.equal(typing.status, maySend ? 204 : 403)
  })
  await Promise.all(answers)
}

async function compareReady({ server, space, people }: Arena, dice: Dice): Promise<void> {
  const person = people[dice.more % people.length]
  assert.ok(person)
  const client = await connect(server, person)
  const { spaces } = readyOf((await client.findEvent('READY')).text)
  client.close()
  const state = spaces.find(({ id }) => id === space.id)
  assert.equal(state !== undefined, space.members.has(person.id))
  if (state === undefined) return
  assert.deepEqual(idsOf(state.rooms), viewable(space, person.id))
  compareParts(space, person.id, {
    roles: state.roles,
    overwrites: state.overwrites,
    own: state.member.roles,
  })
}

interface Parts extends Pick<SpaceState, 'roles' | 'overwrites'> {
  own: readonly string[]
}

function compareParts(space: SpaceModel, userId: string, { roles, overwrites, own }: Parts): void {
  const permissions = new Map(roles.map((role) => [role.id, role.permissions]))
  assert.deepEqual(permissions, new Map(space.roles.map((role) => [role.id, role.permissions])))
  assert.deepEqual(own.toSorted(), [...(space.members.get(userId) ?? [])].toSorted())
  const rooms = viewable(space, userId)
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
