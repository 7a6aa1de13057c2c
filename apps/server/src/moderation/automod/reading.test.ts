import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { Automod } from '@foyer/sdk/api/automod'
import { CAUGHT, trySending, wordRule } from '#test/scenes/automod.ts'
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
  space = await makeRankedSpace(server, people, 0, Capability.ManageAutomod)
})

test('AUTOMOD-12: a rule can be tried on the newest messages that the caller may read', async () => {
  const { owner, actor, below } = people
  const { id: hidden } = await owner.client.rooms.create(space.id, {
    name: 'hidden',
    type: RoomType.Text,
    overwrites: [
      {
        target_id: space.id,
        target_type: OverwriteTarget.Role,
        allow_flags: 0,
        deny_flags: Permission.ViewChannels,
      },
    ],
  })
  for (const content of ['one', CAUGHT, `the ${CAUGHT}`])
    await below.client.messages.create(space.general, { content })
  await owner.client.messages.create(space.general, { content: `${CAUGHT} of a manager` })
  await owner.client.messages.create(hidden, { content: `hidden ${CAUGHT}` })
  const trigger = { type: 'words' as const, words: [CAUGHT] }
  const { checked, caught, examples } = await actor.client.api(Automod).tryRule(space.id, { trigger })
  assert.deepEqual([checked, caught], [4, 2])
  assert.deepEqual(
    examples.map(({ content }) => content),
    [`the ${CAUGHT}`, CAUGHT],
  )
  const exempt = await actor.client
    .api(Automod)
    .tryRule(space.id, { trigger, exempt_room_ids: [space.general] })
  assert.equal(exempt.caught, 0)
  const repeats = { type: 'repeats' as const, count: 2, seconds: 60 }
  await below.client.messages.create(space.general, { content: 'ONE' })
  const repeated = await actor.client.api(Automod).tryRule(space.id, { trigger: repeats })
  assert.deepEqual(
    repeated.examples.map(({ content }) => content),
    ['ONE'],
  )
  assert.deepEqual(await owner.client.api(Automod).listRules(space.id), [])
})

test('AUTOMOD-13: hits are kept for seven days and shown in pages, without rooms that the caller may not view', async () => {
  const { owner, actor, below } = people
  const rule = await wordRule(owner, space)
  const other = await wordRule(owner, space, { trigger: { type: 'words', words: ['horse'] } })
  for (const text of [`1 ${CAUGHT}`, `2 ${CAUGHT}`, 'horse']) await trySending(below, space.general, text)
  const list = (query = {}, { client } = actor) =>
    client
      .api(Automod)
      .listHits(space.id, query)
      .then(({ hits }) => hits.map(({ text }) => text))
  assert.deepEqual(await list(), ['horse', `2 ${CAUGHT}`, `1 ${CAUGHT}`])
  assert.deepEqual(await list({ rule_id: rule.id }), [`2 ${CAUGHT}`, `1 ${CAUGHT}`])
  assert.deepEqual(await list({ rule_id: other.id, limit: 5 }), ['horse'])
  const [first] = (await actor.client.api(Automod).listHits(space.id, { limit: 1 })).hits
  assert.deepEqual(await list({ before_id: first?.id, limit: 1 }), [`2 ${CAUGHT}`])
  await owner.client.overwrites.upsert(space.id, space.general, {
    target_id: space.id,
    target_type: OverwriteTarget.Role,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  })
  assert.deepEqual([await list(), (await list({}, owner)).length], [[], 3])
})
