import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ALL_CAPABILITIES, Capability } from '@foyer/protocol/capabilities'
import { ALL_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import type { Answer, Person } from '#test/scenes/people.ts'
import { createRankedPeople, makeRankedSpace, type RankedPeople } from '#test/scenes/ranked-people.ts'
import { setEveryone } from '#test/scenes/space-rows.ts'
import { join, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { KickMembers, BanMembers, ManageNicknames } = Capability

let server: TestServer
let people: RankedPeople

before(async () => {
  server = await startTestServer()
  people = await createRankedPeople(server)
})
after(() => server.close())

const outcomeOf = ({ status, code }: Answer) => code ?? status

/** Tries each moderation of the target and returns the answers. */
async function tryAll(caller: Person, target: Person, space: TestSpace) {
  const path = `/api/spaces/${space.id}`
  const rename = await caller.call('PATCH', `${path}/members/${target.id}`, { nickname: 'renamed' })
  const list = await caller.call('GET', `${path}/bans`)
  const lift = await caller.call('DELETE', `${path}/bans/${target.id}`)
  const kick = await caller.call('DELETE', `${path}/members/${target.id}`)
  await join(target, people.owner, space).catch(() => undefined)
  const ban = await caller.call('PUT', `${path}/bans/${target.id}`)
  return [rename, list, lift, kick, ban].map(outcomeOf)
}

const NO = 'missing_permission'

test('CAPABILITY-9, CAPABILITY-10: each capability allows its action alone, for people and bots', async () => {
  const { actor, bot, below } = people
  const expected = [
    [ManageNicknames, [200, NO, NO, NO, NO]],
    [KickMembers, [NO, NO, NO, 204, NO]],
    [BanMembers, [NO, 200, 'unknown_ban', NO, 200]],
    [0, [NO, NO, NO, NO, NO]],
    [ALL_CAPABILITIES & ~(ManageNicknames | KickMembers | BanMembers), [NO, NO, NO, NO, NO]],
  ] as const
  for (const [capabilities, answers] of expected)
    for (const caller of [actor, bot]) {
      const space = await makeRankedSpace(server, people, 0, capabilities)
      assert.deepEqual(await tryAll(caller, below, space), answers, `${capabilities}`)
    }
})

test('CAPABILITY-9, CAPABILITY-10: the capabilities reach only members below the caller', async () => {
  const { owner, above, actor, equal, bot } = people
  const capabilities = ManageNicknames | KickMembers | BanMembers
  const space = await makeRankedSpace(server, people, 0, capabilities)
  for (const target of [owner, above, equal, bot])
    assert.deepEqual(await tryAll(actor, target, space), [
      'member_not_below',
      200,
      'unknown_ban',
      'member_not_below',
      'member_not_below',
    ])
  const ban = await actor.call('PUT', `/api/spaces/${space.id}/bans/${actor.id}`)
  assert.equal(outcomeOf(ban), 'member_not_below')
})

test('CAPABILITY-9: no permission stands in for a capability, and outsiders learn nothing', async () => {
  const { actor, below, outsider } = people
  const space = await makeRankedSpace(server, people, 0, 0)
  await setEveryone(server, space.id, ALL_PERMISSIONS & ~Permission.Administrator)
  assert.deepEqual(await tryAll(actor, below, space), [200, NO, NO, NO, NO])
  assert.deepEqual(await tryAll(outsider, below, space), Array(5).fill('not_a_member'))
})

test('CAPABILITY-10: one still needs ChangeNickname for the own nickname', async () => {
  const { actor } = people
  const space = await makeRankedSpace(server, people, 0, ManageNicknames)
  await setEveryone(server, space.id, Permission.ViewChannels)
  const rename = (id: string) =>
    actor.call('PATCH', `/api/spaces/${space.id}/members/${id}`, { nickname: 'x' })
  assert.equal(outcomeOf(await rename(actor.id)), NO)
  assert.equal(outcomeOf(await rename('@me')), NO)
  assert.equal(outcomeOf(await rename(people.below.id)), 200)
})
