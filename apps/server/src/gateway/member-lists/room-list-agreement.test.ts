import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { MemberWithUser } from '@foyer/protocol/members'
import { has, OverwriteTarget, Permission, roomPermissions } from '@foyer/protocol/permissions'
import { foldName } from '@foyer/protocol/words'
import { MemberList } from '@foyer/sdk/member-list'
import fc from 'fast-check'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import { lookInto } from '#test/scenes/member-lists.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

const STEPS = 60
const PEOPLE = 5
const { Administrator, ViewChannels } = Permission

let server: TestServer
const people: Person[] = []
/** The owner sees each of the rooms, because no change can hide a room from the owner. */
const lookers = new Map<string, GatewayClient>()
let space: TestSpace
const roleIds: string[] = []
const roomIds: string[] = []

before(async () => {
  server = await startTestServer()
  for (let number = 0; number < PEOPLE; number += 1)
    people.push(await createPerson(server, `person${number}`))
  const [owner, ...others] = people
  assert.ok(owner)
  space = await makeSpace(owner, others)
  for (const name of ['low', 'high'])
    roleIds.push((await owner.client.roles.create(space.id, { name, hoisted: true })).id)
  for (const name of ['one', 'two', 'three'])
    roomIds.push((await owner.client.rooms.create(space.id, { name, type: 1 })).id)
  for (const roomId of roomIds) {
    const client = await connect(server, owner)
    lookers.set(roomId, client)
    lookInto(client, space.id, roomId)
  }
})
after(async () => {
  for (const client of lookers.values()) client.close()
  await server.close()
})

const FLAGS = [ViewChannels, ViewChannels, Permission.SendMessages, 0]
const step = fc.record({
  kind: fc.constantFrom(
    'role',
    'role',
    'onRole',
    'onRole',
    'onMember',
    'clear',
    'permissions',
    'hoist',
    'membership',
  ),
  who: fc.nat(PEOPLE - 2).map((index) => index + 1),
  room: fc.nat(2),
  which: fc.nat(3),
  isOn: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** The target of an overwrite; @everyone is one of the roles. */
const roleOf = ({ which }: Step) => [...roleIds, space.id][which % 3] ?? ''
const ownRoleOf = ({ which }: Step) => roleIds[which % 2] ?? ''

function overwrite(owner: Person, one: Step, target_id: string, target_type: number) {
  const flags = FLAGS[one.which] ?? 0
  const [allow_flags, deny_flags] = one.isOn ? [flags, 0] : [0, flags]
  const body = { target_id, target_type, allow_flags, deny_flags }
  return owner.client.overwrites.upsert(space.id, roomIds[one.room] ?? '', body)
}

const steps: Record<string, (one: Step, who: Person, owner: Person) => Promise<unknown>> = {
  role: (one, who, owner) =>
    one.isOn
      ? owner.client.roles.assign(space.id, who.id, ownRoleOf(one))
      : owner.client.roles.remove(space.id, who.id, ownRoleOf(one)),
  onRole: (one, _who, owner) => overwrite(owner, one, roleOf(one), OverwriteTarget.Role),
  onMember: (one, who, owner) => overwrite(owner, one, who.id, OverwriteTarget.Member),
  async clear(one, _who, owner) {
    const roomId = roomIds[one.room] ?? ''
    for (const { target_id } of await owner.client.overwrites.list(space.id, roomId))
      await owner.client.overwrites.delete(space.id, roomId, target_id)
  },
  permissions: (one, _who, owner) =>
    owner.client.roles.update(space.id, roleOf(one), {
      permissions: one.isOn ? ViewChannels : one.which === 0 ? Administrator : 0,
    }),
  hoist: (one, _who, owner) => owner.client.roles.update(space.id, ownRoleOf(one), { hoisted: one.isOn }),
  async membership(_one, who, owner) {
    await owner.client.members.kick(space.id, who.id)
    await join(who, owner, space)
  },
}

/** The list a client builds from everything it received. */
function seenBy(client: GatewayClient): object {
  const list = new MemberList()
  for (const { t, text } of client.frames)
    if (t === 'SPACE_MEMBER_LIST_UPDATE') list.update(JSON.parse(text).d)
  const listed = Array.from({ length: 10 }, (_, place) => list.at(place)?.member ?? []).flat()
  return {
    counts: [list.onlineCount, list.memberCount, ...list.groups.map(({ id, count }) => `${id} ${count}`)],
    members: listed,
  }
}

/** The list as it should be: only the owner is online. */
async function truthOf(owner: Person, roomId: string): Promise<object> {
  const members = await owner.client.members.list(space.id)
  const roles = await owner.client.roles.list(space.id)
  const overwrites = await owner.client.overwrites.list(space.id, roomId)
  const mayView = ({ user_id, roles: held }: MemberWithUser) => {
    const own = roles.filter(({ id }) => id === space.id || held.includes(id))
    const subject = { userId: user_id, ownerId: owner.id, spaceId: space.id, roles: own }
    return has(roomPermissions(subject, overwrites), ViewChannels)
  }
  const nameOf = ({ nickname, user }: MemberWithUser) => foldName(nickname ?? user.username)
  const isOnline = ({ user_id }: MemberWithUser) => user_id === owner.id
  const viewers = members
    .filter(mayView)
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
    .sort((one, other) => Number(isOnline(other)) - Number(isOnline(one)))
  const offline = viewers.length - 1
  return {
    counts: [1, viewers.length, 'online 1', ...(offline > 0 ? [`offline ${offline}`] : [])],
    members: viewers,
  }
}

test('LIST-9: each room’s list has exactly those who may view it once there are no more changes', async () => {
  const [owner] = people
  assert.ok(owner)
  for (const one of fc.sample(step, { seed: 20_261_123, numRuns: STEPS })) {
    const who = people[one.who]
    if (who !== undefined) await steps[one.kind]?.(one, who, owner)
    for (const [roomId, client] of one.room === 0 ? lookers : []) await agrees(owner, roomId, client)
  }
  for (const [roomId, client] of lookers) await agrees(owner, roomId, client)
})

async function agrees(owner: Person, roomId: string, client: GatewayClient): Promise<void> {
  const expected = JSON.stringify(await truthOf(owner, roomId))
  const isSeen = async () => JSON.stringify(seenBy(client)) === expected
  await until(isSeen, 'the list').catch(() => assert.equal(JSON.stringify(seenBy(client)), expected))
}
