import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { Automod } from '@foyer/sdk/api/automod'
import { ApiError } from '@foyer/sdk/rest'
import { comeToDoor, letIn, moveDoor, turnAway } from './door-changes.ts'
import { clearOverwrite, removeMember, setOverwrite } from './space-model.ts'
import type { SpaceChange, SpaceChangeKind, SpaceTable } from './space-tenant.ts'
import type { Person } from './tenant.ts'

const VIEW = Permission.ViewChannels
const DAY_MS = 86_400_000

/** Changes of membership and access. The last changes of the list only affect the clients' view of the space. */
export const spaceChanges: readonly SpaceChangeKind[] = [
  giveRole,
  giveRole,
  takeRole,
  takeRole,
  hideFromAll,
  showToAll,
  hideFromOne,
  hideFromOne,
  showToOne,
  kick,
  ban,
  unban,
  timeOut,
  timeOut,
  liftTimeout,
  forbid,
  leave,
  join,
  join,
  join,
  moveDoor,
  letIn,
  letIn,
  turnAway,
  rename,
  renameRoom,
  nickname,
  makeRole,
]

function giveRole({ model, owner, gateRoleId, dice }: SpaceTable): SpaceChange | undefined {
  const without = membersOf(model).filter((id) => model.members.get(id)?.has(gateRoleId) === false)
  return choose(without, dice, (id) => ({
    name: 'give a role',
    request: () => owner.client.roles.assign(model.id, id, gateRoleId),
    apply: ({ members }) => members.get(id)?.add(gateRoleId),
  }))
}

function takeRole({ model, owner, gateRoleId, dice }: SpaceTable): SpaceChange | undefined {
  const having = membersOf(model).filter((id) => model.members.get(id)?.has(gateRoleId) === true)
  return choose(having, dice, (id) => ({
    name: 'take a role',
    request: () => owner.client.roles.remove(model.id, id, gateRoleId),
    apply: ({ members }) => members.get(id)?.delete(gateRoleId),
  }))
}

function hideFromAll(table: SpaceTable): SpaceChange | undefined {
  const { model, owner } = table
  const open = model.rooms.filter((roomId) => !hasOverwrite(table, roomId, model.id))
  return choose(open, table.dice, (roomId) => ({
    name: 'hide a room',
    request: () =>
      owner.client.overwrites.upsert(model.id, roomId, {
        target_id: model.id,
        target_type: OverwriteTarget.Role,
        allow_flags: 0,
        deny_flags: VIEW,
      }),
    apply: (after) =>
      setOverwrite(after, { roomId, targetId: model.id, type: OverwriteTarget.Role, allow: 0, deny: VIEW }),
  }))
}

/** Shows a hidden room to everyone. Leaves out the room that a role opens, which stays restricted. */
function showToAll(table: SpaceTable): SpaceChange | undefined {
  const { model, gateRoleId } = table
  const hidden = model.rooms.filter(
    (roomId) => hasOverwrite(table, roomId, model.id) && !hasOverwrite(table, roomId, gateRoleId),
  )
  return choose(hidden, table.dice, (roomId) => unhide(table, roomId, model.id, 'show a room'))
}

function hideFromOne(table: SpaceTable): SpaceChange | undefined {
  const { model, owner, dice } = table
  const userId = dice.pick(membersOf(model))
  const rooms = model.rooms.filter((roomId) => userId !== undefined && !hasOverwrite(table, roomId, userId))
  return choose(rooms, dice, (roomId) => ({
    name: 'hide a room from a member',
    request: () =>
      owner.client.overwrites.upsert(model.id, roomId, {
        target_id: userId ?? '',
        target_type: OverwriteTarget.Member,
        allow_flags: 0,
        deny_flags: VIEW,
      }),
    apply: (after) =>
      setOverwrite(after, {
        roomId,
        targetId: userId ?? '',
        type: OverwriteTarget.Member,
        allow: 0,
        deny: VIEW,
      }),
  }))
}

function showToOne(table: SpaceTable): SpaceChange | undefined {
  const own = table.model.overwrites.filter(({ type }) => type === OverwriteTarget.Member)
  return choose(own, table.dice, ({ roomId, targetId }) =>
    unhide(table, roomId, targetId, 'show a room to somebody'),
  )
}

function unhide({ model, owner }: SpaceTable, roomId: string, targetId: string, name: string): SpaceChange {
  return {
    name,
    request: () => owner.client.overwrites.delete(model.id, roomId, targetId),
    apply: (after) => clearOverwrite(after, { roomId, targetId }),
    doneBefore: [404],
  }
}

function kick({ model, owner, dice }: SpaceTable): SpaceChange | undefined {
  return choose(membersOf(model), dice, (id) => ({
    name: 'kick',
    request: () => owner.client.members.kick(model.id, id),
    apply: (after) => removeMember(after, id),
    doneBefore: [404],
  }))
}

function ban({ model, owner, dice }: SpaceTable): SpaceChange | undefined {
  return choose(membersOf(model), dice, (id) => ({
    name: 'ban',
    request: () => owner.client.bans.create(model.id, id),
    apply: (after) => {
      removeMember(after, id)
      after.banned.add(id)
    },
  }))
}

function unban({ model, owner, dice }: SpaceTable): SpaceChange | undefined {
  return choose([...model.banned], dice, (id) => ({
    name: 'unban',
    request: () => owner.client.bans.delete(model.id, id),
    apply: ({ banned }) => banned.delete(id),
    doneBefore: [404],
  }))
}

function timeOut({ model, owner, dice }: SpaceTable): SpaceChange | undefined {
  const free = membersOf(model).filter((id) => !model.timedOut.has(id))
  return choose(free, dice, (id) => ({
    name: 'time out',
    request: () =>
      owner.client.members.timeOut(model.id, id, { until: new Date(Date.now() + DAY_MS).toISOString() }),
    apply: ({ timedOut }) => timedOut.add(id),
  }))
}

function liftTimeout({ model, owner, dice }: SpaceTable): SpaceChange | undefined {
  const timedOut = membersOf(model).filter((id) => model.timedOut.has(id))
  return choose(timedOut, dice, (id) => ({
    name: 'end a timeout',
    request: () => owner.client.members.liftTimeout(model.id, id),
    apply: (after) => after.timedOut.delete(id),
    doneBefore: [404],
  }))
}

/** Switches the rule against the forbidden word on, or to test mode. */
function forbid({ model, owner, ruleId }: SpaceTable): SpaceChange {
  const isOn = !model.forbids
  return {
    name: isOn ? 'forbid a word' : 'allow a word',
    request: () => owner.client.api(Automod).updateRule(model.id, ruleId, { mode: isOn ? 'on' : 'test' }),
    apply: (after) => {
      after.forbids = isOn
    },
  }
}

function leave({ model, people, dice }: SpaceTable): SpaceChange | undefined {
  return choose(membersOf(model), dice, (id) => ({
    name: 'leave',
    request: () => personOf(people, id).client.members.leave(model.id),
    apply: (after) => removeMember(after, id),
    doneBefore: [403],
  }))
}

function join(table: SpaceTable): SpaceChange | undefined {
  const { model, people, invite, dice } = table
  const outside = [...people.keys()].filter((id) => !model.members.has(id) && !model.banned.has(id))
  return choose(outside, dice, (id) => {
    if (model.isClosed || model.waiting.has(id)) return comeToDoor(table, personOf(people, id))
    return {
      name: 'join',
      request: () => personOf(people, id).client.invites.join(invite),
      apply: ({ members }) => members.set(id, new Set()),
    }
  })
}

function rename({ model, owner, changes }: SpaceTable): SpaceChange {
  return {
    name: 'rename the space',
    request: () => owner.client.spaces.update(model.id, { name: `Space after ${changes} changes` }),
  }
}

function renameRoom({ model, owner, changes, dice }: SpaceTable): SpaceChange | undefined {
  return choose(model.rooms, dice, (roomId) => ({
    name: 'rename a room',
    request: () => owner.client.rooms.update(model.id, roomId, { name: `Room after ${changes} changes` }),
  }))
}

function nickname({ model, owner, changes, dice }: SpaceTable): SpaceChange | undefined {
  return choose(membersOf(model), dice, (id) => ({
    name: 'give a nickname',
    request: () => owner.client.members.update(model.id, id, { nickname: `Nick ${changes}` }),
  }))
}

/** Creates a role and a room, and deletes the ones created by the last such change. */
function makeRole({ model, owner, changes }: SpaceTable): SpaceChange {
  const name = `Side ${changes}`
  return {
    name: 'exchange a role and a room',
    request: async () => {
      const { roles, rooms } = owner.client
      const [oldRoles, oldRooms] = [await roles.list(model.id), await rooms.list(model.id)]
      for (const { id } of oldRoles.filter(isSide)) await gone(roles.delete(model.id, id))
      for (const { id } of oldRooms.filter(isSide)) await gone(rooms.delete(model.id, id))
      await roles.create(model.id, { name })
      await rooms.create(model.id, { name, type: RoomType.Text })
    },
  }
}

function isSide({ name }: { name: string }): boolean {
  return name.startsWith('Side ')
}

/** Ignores a 404: the target of the deletion is already gone. */
async function gone(deletion: Promise<void>): Promise<void> {
  await deletion.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
  })
}

/** All members except the owner, who sees everything and cannot be removed. */
function membersOf({ members, ownerId }: SpaceTable['model']): string[] {
  return [...members.keys()].filter((id) => id !== ownerId)
}

function hasOverwrite({ model }: SpaceTable, roomId: string, targetId: string): boolean {
  return model.overwrites.some((each) => each.roomId === roomId && each.targetId === targetId)
}

function choose<Item>(
  items: readonly Item[],
  dice: SpaceTable['dice'],
  make: (item: Item) => SpaceChange,
): SpaceChange | undefined {
  const item = dice.pick(items)
  return item === undefined ? undefined : make(item)
}

function personOf(people: ReadonlyMap<string, Person>, id: string): Person {
  const person = people.get(id)
  if (person === undefined) throw new Error(`unknown person ${id}`)
  return person
}
