import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type AuditAction, auditActions, isReversible } from '@foyer/protocol/audit-actions'
import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import { Capability } from '@foyer/protocol/capabilities'
import { Permission } from '@foyer/protocol/permissions'
import { newestEntry } from '#test/scenes/audit-log.ts'
import type { Person } from '#test/scenes/people.ts'
import { createRankedPeople, makeRankedSpace, type RankedPeople } from '#test/scenes/ranked-people.ts'
import type { TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let people: RankedPeople
let space: TestSpace

before(async () => {
  server = await startTestServer()
  people = await createRankedPeople(server)
})
after(() => server.close())
beforeEach(async () => {
  space = await makeRankedSpace(server, people, Permission.Administrator)
})

const newest = () => newestEntry(people.owner, space.id)

const undo = (entry: AuditLogEntry, caller: Person = people.actor) =>
  caller.call('POST', `/api/spaces/${space.id}/audit-log/${entry.id}/undo`)
const outcome = async (entry: AuditLogEntry, caller?: Person) => {
  const { status, code } = await undo(entry, caller)
  return code ?? status
}
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** A change, and how its result is read. */
interface Reversible {
  change: () => Promise<unknown>
  read: () => Promise<unknown>
}

/** A role, an overwrite or a ban that is there before the change. */
interface Ready {
  roleId: string
}

const overwriteOf = async (targetId: string) =>
  (await people.owner.client.overwrites.list(space.id, space.general)).find(
    ({ target_id }) => target_id === targetId,
  )
const banOf = async (userId: string) => {
  const ban = (await people.owner.client.bans.list(space.id)).find(({ user_id }) => user_id === userId)
  return ban?.reason
}
const timeoutOf = async (userId: string) => {
  const { body } = await people.owner.call('GET', `/api/spaces/${space.id}/members/${userId}/timeout`)
  return [Object(body).until, Object(body).reason]
}
const overwrite = (target_id: string, deny_flags: number) =>
  people.owner.client.overwrites.upsert(space.id, space.general, {
    target_id,
    target_type: 0,
    allow_flags: Permission.SendMessages,
    deny_flags,
    deny_capabilities: Capability.AttachFiles,
  })

/** For each action, changes that can be undone. */
const changes: Readonly<Partial<Record<AuditAction, (ready: Ready) => Promise<Reversible>>>> = {
  space_update: async () => ({
    change: () =>
      people.owner.client.spaces.update(space.id, {
        name: 'New',
        description: 'd',
        locale: 'de',
        audit_log_days: null,
      }),
    read: async () => {
      const { updated_at: _, ...rest } = await people.owner.client.spaces.get(space.id)
      return rest
    },
  }),
  room_update: async () => ({
    change: () =>
      people.owner.client.rooms.update(space.id, space.general, {
        name: 'new',
        description: 'd',
        parent_id: null,
        position: 0,
        slow_mode_seconds: 9,
      }),
    read: async () =>
      (await people.owner.client.rooms.list(space.id)).map(({ updated_at: _, ...room }) => room),
  }),
  role_update: async ({ roleId }) => ({
    change: () =>
      people.owner.client.roles.update(space.id, roleId, {
        name: 'new',
        permissions: Permission.ManageMessages,
        capabilities: Capability.KickMembers,
        color_from: 1,
        hoisted: true,
        position: 3,
      }),
    read: async () =>
      (await people.owner.client.roles.list(space.id)).map(({ updated_at: _, ...role }) => role),
  }),
  role_assign: async ({ roleId }) => ({
    change: () => people.owner.client.roles.assign(space.id, people.below.id, roleId),
    read: async () => (await people.owner.client.members.get(space.id, people.below.id)).roles,
  }),
  role_remove: async ({ roleId }) => {
    await people.owner.client.roles.assign(space.id, people.below.id, roleId)
    return {
      change: () => people.owner.client.roles.remove(space.id, people.below.id, roleId),
      read: async () => (await people.owner.client.members.get(space.id, people.below.id)).roles,
    }
  },
  overwrite_update: async ({ roleId }) => {
    await overwrite(roleId, 0)
    return { change: () => overwrite(roleId, Permission.ViewChannels), read: () => overwriteOf(roleId) }
  },
  overwrite_delete: async ({ roleId }) => {
    await overwrite(roleId, 0)
    return {
      change: () => people.owner.client.overwrites.delete(space.id, space.general, roleId),
      read: () => overwriteOf(roleId),
    }
  },
  member_update: async () => ({
    change: () => people.owner.client.members.update(space.id, people.below.id, { nickname: 'Kim' }),
    read: async () => (await people.owner.client.members.get(space.id, people.below.id)).nickname,
  }),
  timeout_create: async () => {
    await people.owner.client.members.timeOut(space.id, people.below.id, {
      until: inDays(1),
      reason: 'first',
    })
    return {
      change: () => people.owner.client.members.timeOut(space.id, people.below.id, { until: inDays(2) }),
      read: () => timeoutOf(people.below.id),
    }
  },
  timeout_delete: async () => {
    await people.owner.client.members.timeOut(space.id, people.below.id, {
      until: inDays(1),
      reason: 'first',
    })
    return {
      change: () => people.owner.client.members.liftTimeout(space.id, people.below.id),
      read: () => timeoutOf(people.below.id),
    }
  },
  ban_create: async () => {
    await people.owner.client.bans.create(space.id, people.outsider.id, { reason: 'first' })
    return {
      change: () => people.owner.client.bans.create(space.id, people.outsider.id, { reason: 'second' }),
      read: () => banOf(people.outsider.id),
    }
  },
  ban_delete: async () => {
    await people.owner.client.bans.create(space.id, people.outsider.id, { reason: 'first' })
    return {
      change: () => people.owner.client.bans.delete(space.id, people.outsider.id),
      read: () => banOf(people.outsider.id),
    }
  },
}

const role = async () => (await people.owner.client.roles.create(space.id, { name: 'role' })).id

for (const [action, prepare] of Object.entries(changes))
  test(`AUDIT-10: undoing ${action} restores what it changed, and leaves an entry that names it`, async () => {
    const { change, read } = await prepare({ roleId: await role() })
    const before = await read()
    await change()
    assert.notDeepEqual(await read(), before)
    const entry = await newest()
    assert.deepEqual([entry.action, isReversible(entry)], [action, true])
    const answer = await undo(entry, people.owner)
    assert.deepEqual([answer.status, answer.code], [200, null])
    assert.deepEqual(await read(), before)
    const undone = await newest()
    assert.deepEqual([undone, undone.undoes, undone.actor_id], [answer.body, entry.id, people.owner.id])
    const { entries } = await people.owner.client.auditLog.list(space.id)
    assert.equal(entries.find(({ id }) => id === entry.id)?.undone_by, undone.id)
  })

test('AUDIT-10: undoing the first of its kind removes it', async () => {
  const { owner, below, outsider } = people
  const roleId = await role()
  await overwrite(roleId, 0)
  assert.equal(await outcome(await newest()), 200)
  await owner.client.members.timeOut(space.id, below.id, { until: inDays(1) })
  assert.equal(await outcome(await newest()), 200)
  await owner.client.bans.create(space.id, outsider.id)
  assert.equal(await outcome(await newest()), 200)
  assert.deepEqual(
    [await overwriteOf(roleId), await timeoutOf(below.id), await banOf(outsider.id)],
    [undefined, [undefined, undefined], undefined],
  )
})

test('AUDIT-10: an undo can be undone', async () => {
  await people.owner.client.rooms.update(space.id, space.general, { name: 'new' })
  await undo(await newest())
  assert.equal(await outcome(await newest()), 200)
  const rooms = await people.owner.client.rooms.list(space.id)
  assert.equal(rooms.find(({ id }) => id === space.general)?.name, 'new')
})

test('AUDIT-11: only some actions have an opposite', async () => {
  const { owner } = people
  const actions = Object.keys(auditActions).filter((name): name is AuditAction => name in auditActions)
  const reversible = actions.filter((action) =>
    isReversible({ action, before: { name: 'x' }, undone_by: null }),
  )
  assert.deepEqual(
    reversible,
    actions.filter((action) => action in changes),
  )
  await owner.client.roles.delete(space.id, await role())
  assert.equal(await outcome(await newest()), 'not_reversible')
})
