import { DEFAULT_PERMISSIONS, OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { Automod } from '@foyer/sdk/api/automod'
import type { Findings } from '../audit/findings.ts'
import type { Asker } from '../load/ask.ts'
import type { Recent } from '../load/recent.ts'
import { Dice } from '../random.ts'
import { openForum } from './forum-rooms.ts'
import { GroupTenant } from './group-tenant.ts'
import type { Ledger } from './ledger.ts'
import { FORBIDDEN, type Restrictions } from './restrictions.ts'
import type { Sights } from './sight.ts'
import { spaceChanges } from './space-changes.ts'
import { type SpaceModel, setOverwrite } from './space-model.ts'
import { SpaceTenant } from './space-tenant.ts'
import type { Channel, Person, Tenant } from './tenant.ts'
import { threadChanges } from './thread-changes.ts'
import { ThreadTenant } from './thread-tenant.ts'
import type { ThreadedRoom } from './threads.ts'

/** All people and tenants of a run. */
export interface World {
  people: readonly Person[]
  tenants: readonly Tenant[]
  /** By tenant: everyone who may be in it, owner first. */
  cast: ReadonlyMap<string, readonly Person[]>
  /** By space: its threads and forums. */
  threads: ReadonlyMap<string, ThreadTenant>
}

export interface WorldParts {
  people: readonly Person[]
  spaces: number
  groups: number
  seed: number
  sights: Sights
  restrictions: Restrictions
  ledger: Ledger
  recent: Recent
  asker: Asker
  findings: Findings
}

/** Low, because everyone receives the messages of the lobby. */
const LOBBY_WEIGHT = 1
const ROOM_WEIGHT = 12
const GROUP_WEIGHT = 20
const GROUP_CAST = 10

export async function buildWorld(parts: WorldParts): Promise<World> {
  const { people } = parts
  const threads = new Map<string, ThreadTenant>()
  const lobby = { who: people, open: () => openLobby(parts, people) }
  const spaces = castOfSpaces(parts).map((who, number) => ({
    who,
    open: () => openSpace(parts, { who, number, threads }),
  }))
  const groups = castOfGroups(parts).map((who, number) => ({
    who,
    open: () => openGroup(parts, who, number),
  }))
  const cast = new Map<string, readonly Person[]>()
  const tenants: Tenant[] = []
  // Members of a group must be in the lobby first.
  for (const stage of [[lobby], spaces, groups]) {
    const opened = await Promise.all(stage.map(({ open }) => open()))
    tenants.push(...opened)
    for (const [index, tenant] of opened.entries()) cast.set(tenant.id, stage[index]?.who ?? [])
  }
  return { people, tenants, cast, threads }
}

/** Assigns people to spaces. Every second person of a space is also in the next space. */
function castOfSpaces({ people, spaces }: WorldParts): Person[][] {
  return Array.from({ length: spaces }, (_, number) =>
    people.filter((_person, index) => index % spaces === number || index % (2 * spaces) === number + 1),
  )
}

function castOfGroups({ people, groups }: WorldParts): Person[][] {
  return Array.from({ length: groups }, (_, number) => {
    const who = Array.from({ length: GROUP_CAST }, (_, index) => people[(number * 7 + index) % people.length])
    return [...new Set(who.filter((person) => person !== undefined))]
  })
}

async function openLobby(parts: WorldParts, people: readonly Person[]): Promise<Tenant> {
  const [owner] = people
  if (owner === undefined) throw new Error('there are no people')
  const { model, invite } = await makeSpace(parts, owner, people, 1)
  const table = {
    model,
    owner,
    people: new Map(),
    invite,
    gateRoleId: '',
    ruleId: '',
    dice: diceOf(parts, 'lobby'),
    changes: 0,
  }
  return new SpaceTenant({ ...parts, table, kinds: [], channels: channelsOf(model, LOBBY_WEIGHT) })
}

interface NewSpace {
  who: readonly Person[]
  number: number
  /** Map to which the threads of the space are added. */
  threads: Map<string, ThreadTenant>
}

/** Creates a space with a forum, two open rooms, and a room that a role opens for about half of the members. */
async function openSpace(parts: WorldParts, { who, number, threads }: NewSpace): Promise<Tenant> {
  const [owner] = who
  if (owner === undefined) throw new Error('a space needs an owner')
  const dice = diceOf(parts, `space ${number}`)
  const members = who.filter((person) => person === owner || dice.chance(0.8))
  const { model, invite } = await makeSpace(parts, owner, members, 3)
  const { id: gateRoleId } = await owner.client.roles.create(model.id, { name: 'Gate' })
  const channels = channelsOf(model, ROOM_WEIGHT)
  const gated = model.rooms.at(-1) ?? ''
  await restrict(owner, model, gated, gateRoleId)
  for (const { id } of members.filter((person) => person !== owner && dice.chance(0.5))) {
    await owner.client.roles.assign(model.id, id, gateRoleId)
    model.members.get(id)?.add(gateRoleId)
  }
  const people = new Map(who.filter((person) => person !== owner).map((person) => [person.id, person]))
  const { id: ruleId } = await owner.client.api(Automod).createRule(model.id, {
    name: 'Animals',
    trigger: { type: 'words', words: [FORBIDDEN] },
  })
  const rooms = await openThreads(parts, owner, model)
  threads.set(model.id, threadsOf(parts, who, rooms, number))
  const table = { model, owner, people, invite, gateRoleId, ruleId, dice, changes: 0 }
  const tenant = new SpaceTenant({ ...parts, table, kinds: spaceChanges, channels })
  tenant.noteSights()
  return tenant
}

/** Adds a forum to the space. @returns the text rooms and the forum */
async function openThreads(
  { ledger, sights }: WorldParts,
  owner: Person,
  model: SpaceModel,
): Promise<ThreadedRoom[]> {
  const spaceId = model.id
  const forum = await openForum(owner, spaceId, ledger.threads)
  const texts = model.rooms.map((id) => ({ id, spaceId, isForum: false, tags: [] }))
  sights.set(owner.id, forum.id, 'yes')
  model.rooms = [forum.id, ...model.rooms]
  return [...texts, forum]
}

function threadsOf(
  parts: WorldParts,
  people: readonly Person[],
  rooms: readonly ThreadedRoom[],
  number: number,
): ThreadTenant {
  const [owner] = people
  if (owner === undefined) throw new Error('a space needs an owner')
  const table = {
    ...parts,
    owner,
    people,
    rooms,
    dice: diceOf(parts, `threads ${number}`),
    pinned: new Set<string>(),
    closed: new Set<string>(),
    passingTags: new Map<string, string>(),
    passingForum: undefined,
    changes: 0,
  }
  return new ThreadTenant({ ...parts, table, kinds: threadChanges })
}

async function restrict(owner: Person, model: SpaceModel, roomId: string, roleId: string): Promise<void> {
  const flags = [
    { targetId: model.id, allow: 0, deny: Permission.ViewChannels },
    { targetId: roleId, allow: Permission.ViewChannels, deny: 0 },
  ]
  for (const { targetId, allow, deny } of flags) {
    const type = OverwriteTarget.Role
    const body = { target_id: targetId, target_type: type, allow_flags: allow, deny_flags: deny }
    await owner.client.overwrites.upsert(model.id, roomId, body)
    setOverwrite(model, { roomId, targetId, type, allow, deny })
  }
}

async function makeSpace(parts: WorldParts, owner: Person, members: readonly Person[], roomCount: number) {
  const { space, rooms } = await owner.client.spaces.create({ name: 'Space' })
  const first = rooms.find(({ type }) => type === RoomType.Text)
  if (first === undefined) throw new Error('a new space has no text room')
  const talked = [first.id]
  while (talked.length < roomCount) {
    const name = `Room ${talked.length + 1}`
    talked.push((await owner.client.rooms.create(space.id, { name, type: RoomType.Text })).id)
  }
  const { code } = await owner.client.invites.create(space.id, first.id, { max_age: 0 })
  for (const { client } of members.filter((person) => person !== owner)) await client.invites.join(code)
  const model: SpaceModel = {
    id: space.id,
    ownerId: owner.id,
    members: new Map(members.map(({ id }) => [id, new Set<string>()])),
    everyone: DEFAULT_PERMISSIONS,
    rooms: talked,
    overwrites: [],
    banned: new Set(),
    timedOut: new Set(),
    forbids: false,
    isClosed: false,
    waiting: new Set<string>(),
  }
  for (const { id } of members) for (const roomId of talked) parts.sights.set(id, roomId, 'yes')
  return { model, invite: code }
}

async function openGroup(parts: WorldParts, who: readonly Person[], number: number): Promise<Tenant> {
  const [owner, ...people] = who
  if (owner === undefined) throw new Error('a group needs an owner')
  const first = people.slice(0, 4)
  const body = { recipient_ids: first.map(({ id }) => id), name: `Group ${number}` }
  const { id } = await owner.client.conversations.create(body)
  for (const person of [owner, ...first]) parts.sights.set(person.id, id, 'yes')
  const channel = { id, address: { conversation: id }, weight: GROUP_WEIGHT }
  const members = new Set(first.map((person) => person.id))
  return new GroupTenant({
    ...parts,
    channel,
    owner,
    people,
    members,
    dice: diceOf(parts, `group ${number}`),
  })
}

function channelsOf(model: SpaceModel, weight: number): Channel[] {
  return model.rooms.map((id) => ({ id, address: id, weight }))
}

function diceOf({ seed }: WorldParts, name: string): Dice {
  return new Dice(seed, name)
}
