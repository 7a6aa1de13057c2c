import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { MessageFlag } from '@foyer/protocol/messages'
import { Automod } from '@foyer/sdk/api/automod'
import { newestEntry } from '#test/scenes/audit-log.ts'
import { CAUGHT, contentsIn, trySending, wordRule } from '#test/scenes/automod.ts'
import type { Person } from '#test/scenes/people.ts'
import { createRankedPeople, makeRankedSpace, type RankedPeople } from '#test/scenes/ranked-people.ts'
import type { TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

const MINUTE_MS = 60_000

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

const send = (person = people.below) => trySending(person, space.general, `a ${CAUGHT}`)
const endOf = async ({ id }: Person) => (await people.owner.client.members.get(space.id, id)).timeout_until

test('AUTOMOD-8: a rule times the member out, and does not shorten a timeout', async () => {
  const { owner, below } = people
  await wordRule(owner, space, { timeout_minutes: 10 })
  assert.equal(await send(), 'automod_refused')
  const end = Date.parse((await endOf(below)) ?? '') - Date.now()
  assert.ok(end > 9 * MINUTE_MS && end <= 10 * MINUTE_MS, `${end}`)
  assert.equal(await trySending(below, space.general, 'fine'), 'timed_out')
  const timeout = await below.client.members.getTimeout(space.id, below.id)
  assert.deepEqual([timeout.reason, timeout.moderator_id], ['Animals', null])
  await owner.client.members.liftTimeout(space.id, below.id)
  const longer = new Date(Date.now() + 60 * MINUTE_MS).toISOString()
  await owner.client.members.timeOut(space.id, below.id, { until: longer })
  const nickname = await below.call('PATCH', `/api/spaces/${space.id}/members/@me`, { nickname: CAUGHT })
  assert.equal(nickname.status, 403)
  assert.equal(await endOf(below), longer)
})

test('AUTOMOD-8: whoever is timed out by a message with a mention still gets the sentence of the rule', async () => {
  const { owner, below } = people
  await wordRule(owner, space, { timeout_minutes: 10, message: 'No animals.' })
  const content = `${CAUGHT} <@${owner.id}>`
  const { body } = await below.call('POST', `/api/rooms/${space.general}/messages`, { content })
  assert.deepEqual(body, { error: 'No animals.' })
})

test('AUTOMOD-10: what one rule stops of one member is noted five times a minute', async () => {
  const { owner } = people
  await wordRule(owner, space)
  for (let tries = 0; tries < 8; tries += 1) assert.equal(await send(), 'automod_refused')
  const { entries } = await owner.client.auditLog.list(space.id, { action: 'automod_refuse' })
  const { hits } = await owner.client.api(Automod).listHits(space.id)
  assert.deepEqual([entries.length, hits.length], [5, 5])
})

test('AUTOMOD-10: entries about rules do not have their words', async () => {
  const { owner } = people
  const rule = await wordRule(owner, space)
  await owner.client
    .api(Automod)
    .updateRule(space.id, rule.id, { trigger: { type: 'words', words: ['secret'] } })
  const { entries } = await owner.client.auditLog.list(space.id)
  assert.equal(/wombat|secret/.test(JSON.stringify(entries)), false)
})

test('AUTOMOD-9: moderators are told in the room that the rule names, without a mention', async () => {
  const { owner, below } = people
  const { id: room } = await owner.client.rooms.create(space.id, { name: 'mods', type: 1 })
  await wordRule(owner, space, { alert_room_id: room })
  await trySending(below, space.general, `a ${CAUGHT}\n@everyone`)
  await until(async () => (await contentsIn(owner, room)).length > 0, 'the alert is there')
  const [alert] = await owner.client.messages.list(room)
  assert.equal(
    alert?.content,
    `Refused a message by <@${below.id}> in <#${space.general}>. Rule: Animals\n> a ${CAUGHT}\n> @everyone`,
  )
  assert.deepEqual(
    [alert.author.username, alert.author.is_bot, alert.mention_everyone],
    ['AutoMod', true, false],
  )
  assert.deepEqual([alert.mentions, alert.flags], [[], MessageFlag.SuppressEmbeds])
})

test('AUTOMOD-9: a rule whose room is gone still refuses', async () => {
  const { owner } = people
  const { id: room } = await owner.client.rooms.create(space.id, { name: 'mods', type: 1 })
  await wordRule(owner, space, { alert_room_id: room })
  await owner.client.rooms.delete(space.id, room)
  assert.equal(await send(), 'automod_refused')
})

test('AUTOMOD-10: what a rule stops has one entry in the audit log, without the text; a timeout has its own', async () => {
  const { owner, below } = people
  const rule = await wordRule(owner, space, { timeout_minutes: 5 })
  const before = (await owner.client.auditLog.list(space.id)).entries.length
  await send()
  const { entries } = await owner.client.auditLog.list(space.id)
  assert.deepEqual(
    entries.slice(0, entries.length - before).map(({ action, actor_id }) => [action, actor_id]),
    [
      ['automod_refuse', null],
      ['timeout_create', null],
    ],
  )
  const { target_type, target_id, room_id, after } = await newestEntry(owner, space.id)
  assert.deepEqual([target_type, target_id, room_id], ['user', below.id, space.general])
  assert.deepEqual(after, { rule_id: rule.id, rule_name: 'Animals', source: 'message' })
  assert.equal(JSON.stringify(entries.slice(0, 2)).includes(CAUGHT), false)
})
