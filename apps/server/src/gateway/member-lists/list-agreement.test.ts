import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import type { MemberWithUser } from '@foyer/protocol/members'
import { foldName } from '@foyer/protocol/words'
import { MemberList } from '@foyer/sdk/member-list'
import fc from 'fast-check'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

const STEPS = 40
const STATUSES = ['online', 'idle', 'dnd', 'invisible'] as const
const PEOPLE = 5

let server: TestServer
const people: Person[] = []
let clients: GatewayClient[] = []
let space: TestSpace
const roleIds: string[] = []
const statuses = new Map<string, string>()
/** Pairs in both orders. */
const parted = new Set<string>()

before(async () => {
  server = await startTestServer()
  for (let number = 0; number < PEOPLE; number += 1)
    people.push(await createPerson(server, `person${number}`))
  const [owner, ...others] = people
  assert.ok(owner)
  space = await makeSpace(owner, others)
  for (const name of ['low', 'high'])
    roleIds.push((await owner.client.roles.create(space.id, { name, hoisted: true })).id)
  clients = await Promise.all(people.map((person) => connect(server, person)))
  for (const { id } of people) statuses.set(id, 'online')
  for (const client of clients) look(client)
})
after(async () => {
  for (const client of clients) client.close()
  await server.close()
})

function look(client: GatewayClient): void {
  client.send(Opcode.Subscribe, {
    space_id: space.id,
    member_ranges: [
      [0, 1],
      [2, 9],
    ],
  })
}

const step = fc.record({
  kind: fc.constantFrom('status', 'status', 'nickname', 'alias', 'role', 'hoist', 'block', 'membership'),
  who: fc.nat(PEOPLE - 2).map((index) => index + 1),
  other: fc.nat(PEOPLE - 1),
  which: fc.nat(3),
  isOn: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const steps: Record<string, (one: Step, who: Person, owner: Person) => Promise<unknown>> = {
  async status({ who: index, which }, who) {
    const status = STATUSES[which] ?? 'online'
    clients[index]?.send(Opcode.PresenceUpdate, { status })
    statuses.set(who.id, status)
  },
  nickname: ({ which, isOn }, who) =>
    who.client.members.updateMe(space.id, { nickname: isOn ? `Nick ${which}` : null }),
  alias: ({ which, isOn }, who) => who.client.users.updateMe({ alias: isOn ? `Älias ${which}` : null }),
  role({ which, isOn }, who, owner) {
    const roleId = roleIds[which % roleIds.length] ?? ''
    return isOn
      ? owner.client.roles.assign(space.id, who.id, roleId)
      : owner.client.roles.remove(space.id, who.id, roleId)
  },
  hoist: ({ which, isOn }, _who, owner) =>
    owner.client.roles.update(space.id, roleIds[which % roleIds.length] ?? '', { hoisted: isOn }),
  async block({ other, isOn }, who) {
    const target = people[other]
    if (target === undefined || target === who) return
    const own = `${who.id} blocks ${target.id}`
    if (isOn) await who.client.friends.block(target.id)
    else if (parted.has(own)) await who.client.friends.unblock(target.id)
    if (isOn) parted.add(own)
    else parted.delete(own)
  },
  async membership({ who: index }, who, owner) {
    const client = clients[index]
    assert.ok(client)
    const before = client.heard('SPACE_CREATE').length
    await owner.client.members.kick(space.id, who.id)
    await join(who, owner, space)
    await client.find(() => client.heard('SPACE_CREATE').length > before, 'the space')
    look(client)
  },
}

/** The list a client builds from everything it received. */
function seenBy(client: GatewayClient): object {
  const list = new MemberList()
  for (const { t, text } of client.frames) {
    if (t === 'SPACE_MEMBER_LIST_UPDATE') list.update(JSON.parse(text).d)
    if (t === 'PRESENCE_UPDATE') list.setPresence(JSON.parse(text).d)
  }
  const listed = Array.from({ length: 10 }, (_, place) => list.at(place) ?? []).flat()
  return {
    counts: [list.onlineCount, list.memberCount, ...list.groups.map(({ id, count }) => `${id} ${count}`)],
    members: listed.map(({ member, presence }) => [member, presence?.status]),
  }
}

/** The list as it should be. */
function truthFor(viewer: Person, members: readonly MemberWithUser[], hoisted: readonly string[]): object {
  const statusOf = (id: string) => {
    const isParted = parted.has(`${viewer.id} blocks ${id}`) || parted.has(`${id} blocks ${viewer.id}`)
    const status = statuses.get(id)
    return isParted || status === 'invisible' ? undefined : status
  }
  const groupOf = ({ user_id, roles }: MemberWithUser) => {
    if (statusOf(user_id) === undefined) return 'offline'
    return hoisted.find((id) => roles.includes(id)) ?? 'online'
  }
  const nameOf = ({ nickname, user }: MemberWithUser) => foldName(nickname ?? user.alias ?? user.username)
  const groups = [...hoisted, 'online', 'offline'].map((id) => ({
    id,
    members: members
      .filter((member) => groupOf(member) === id)
      .sort((one, other) => (nameOf(one) + one.id < nameOf(other) + other.id ? -1 : 1)),
  }))
  const counts = groups.flatMap(({ id, members: { length } }) => (length === 0 ? [] : [`${id} ${length}`]))
  const offline = groups.at(-1)?.members.length ?? 0
  return {
    counts: [members.length - offline, members.length, ...counts],
    members: groups.flatMap((group) => group.members.map((member) => [member, statusOf(member.user_id)])),
  }
}

test('LIST-8: each client has the complete list once there are no more changes', async () => {
  const [owner] = people
  assert.ok(owner)
  for (const one of fc.sample(step, { seed: 20_261_121, numRuns: STEPS })) {
    const who = people[one.who]
    if (who !== undefined) await steps[one.kind]?.(one, who, owner)
  }
  const members = await owner.client.members.list(space.id)
  const roles = await owner.client.roles.list(space.id)
  const hoisted = roles
    .filter((role) => role.hoisted)
    .sort((one, other) => other.position - one.position)
    .map(({ id }) => id)
  for (const [index, client] of clients.entries()) {
    const viewer = people[index]
    assert.ok(viewer)
    const expected = JSON.stringify(truthFor(viewer, members, hoisted))
    const isSeen = async () => JSON.stringify(seenBy(client)) === expected
    await until(isSeen, 'the list').catch(() => assert.equal(JSON.stringify(seenBy(client)), expected))
  }
})
