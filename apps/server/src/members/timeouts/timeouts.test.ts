import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Capability } from '@foyer/protocol/capabilities'
import { Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { makeDirect } from '#test/scenes/conversations.ts'
import { note, postForm } from '#test/scenes/messages.ts'
import type { Answer, Person } from '#test/scenes/people.ts'
import { formOf } from '#test/scenes/pictures.ts'
import { createRankedPeople, makeRankedSpace, type RankedPeople } from '#test/scenes/ranked-people.ts'
import { listJournal, setEveryone } from '#test/scenes/space-rows.ts'
import { join, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { sweepTimeouts } from './queries.ts'

const DAY_MS = 86_400_000

let server: TestServer
let people: RankedPeople
let space: TestSpace

before(async () => {
  server = await startTestServer()
  people = await createRankedPeople(server)
})
after(() => server.close())
beforeEach(async () => {
  space = await makeRankedSpace(server, people, 0, Capability.TimeoutMembers)
})

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const outcomeOf = ({ status, code }: Answer) => code ?? status
const path = (id: string) => `/api/spaces/${space.id}/members/${id}/timeout`
const timeOut = (caller: Person, target: Person, body: unknown = { until: inMs(DAY_MS) }) =>
  caller.call('PUT', path(target.id), body).then(outcomeOf)
const lift = (caller: Person, target: Person) => caller.call('DELETE', path(target.id)).then(outcomeOf)
const endOf = async ({ id }: Person) => (await people.owner.client.members.get(space.id, id)).timeout_until

/** Tries each write in #general that members may do by default, and returns the answers. */
async function tryAll(person: Person, own: string): Promise<(string | number)[]> {
  const room = `/api/rooms/${space.general}`
  const size = { filename: 'a.txt', size_bytes: 1, content_type: 'text/plain' }
  const answers = [
    await person.call('POST', `${room}/messages`, { content: 'hi' }),
    await postForm(person, space.general, formOf(['files', note('1')])),
    await person.call('POST', `${room}/messages`, {
      content: 'reply',
      reference: { type: 0, message_id: own },
    }),
    await person.call('PATCH', `${room}/messages/${own}`, { content: 'edited' }),
    await person.call('PUT', `${room}/messages/${own}/reactions/${encodeURIComponent('👍')}`),
    await person.call('POST', `${room}/typing`),
    await person.call('POST', `${room}/attachments`, size),
    await person.call('PATCH', `/api/spaces/${space.id}/members/@me`, { nickname: 'x' }),
    await person.call('POST', `/api/spaces/${space.id}/rooms/${space.general}/invites`, {}),
  ]
  return answers.map(outcomeOf)
}

test('TIMEOUT-1: members with TimeoutMembers, including bots, time out and release members below them', async () => {
  const { owner, above, actor, equal, bot, below, outsider } = people
  for (const caller of [actor, bot, owner]) {
    assert.equal(await timeOut(caller, below), 200)
    assert.equal(await lift(caller, below), 204)
    assert.equal(await lift(caller, below), 'unknown_timeout')
  }
  for (const target of [owner, above, equal, bot, actor]) {
    assert.equal(await timeOut(actor, target), 'member_not_below')
    assert.equal(await lift(actor, target), 'member_not_below')
  }
  assert.equal(await timeOut(owner, owner), 'member_not_below')
  assert.equal(await timeOut(actor, outsider), 'unknown_member')
  assert.equal(await lift(actor, outsider), 'unknown_member')
  const everything = Object.values(Permission).reduce<number>((sum, bit) => sum | bit, 0)
  await setEveryone(server, space.id, everything & ~Permission.Administrator)
  for (const id of [below.id, outsider.id, newId()]) {
    const as = (person: Person) => person.call('PUT', path(id), '{').then(outcomeOf)
    assert.deepEqual([await as(above), await as(outsider)], ['missing_permission', 'not_a_member'])
  }
})

test('TIMEOUT-2: the end is in the next 28 days and the reason has at most 512 characters', async () => {
  const { actor, below } = people
  const before = await listJournal(server, topicOf.space(space.id))
  const refused = [
    {},
    { until: null },
    { until: 1 },
    { until: 'tomorrow' },
    { until: '2030-02-30T00:00:00Z' },
    { until: inMs(-1000) },
    { until: inMs(28 * DAY_MS + 60_000) },
    { until: inMs(DAY_MS), reason: 'x'.repeat(513) },
    { until: inMs(DAY_MS), reason: 1 },
  ]
  for (const body of refused) assert.equal(await timeOut(actor, below, body), 'invalid_request')
  assert.equal(await endOf(below), null)
  assert.deepEqual(await listJournal(server, topicOf.space(space.id)), before)
  for (const reason of [undefined, null, ' ', ' spam '])
    assert.equal(await timeOut(actor, below, { until: inMs(27 * DAY_MS), reason }), 200)
  const { reason } = await actor.client.members.getTimeout(space.id, below.id)
  assert.equal(reason, 'spam')
})

test('TIMEOUT-3: a member who is timed out can read, but not write in the space', async () => {
  const { actor, below, owner } = people
  const { id } = await below.client.messages.create(space.general, { content: 'mine' })
  assert.deepEqual(await tryAll(below, id), [200, 200, 200, 200, 204, 204, 200, 200, 200])
  await timeOut(actor, below)
  assert.deepEqual(await tryAll(below, id), Array(9).fill('timed_out'))
  assert.ok((await below.client.messages.list(space.general)).length > 0)
  await below.client.messages.delete(space.general, id)
  const conversation = await makeDirect(server, below, owner)
  await below.client.messages.create({ conversation: conversation.id }, { content: 'why?' })
})

test('TIMEOUT-3: roles and overwrites give nothing back, except to the owner', async () => {
  const { owner, actor } = people
  const { id } = await actor.client.messages.create(space.general, { content: 'mine' })
  await owner.client.members.timeOut(space.id, actor.id, { until: inMs(DAY_MS) })
  await owner.client.overwrites.upsert(space.id, space.general, {
    target_id: actor.id,
    target_type: 1,
    allow_flags: Permission.SendMessages,
    deny_flags: 0,
    allow_capabilities: Capability.AddReactions,
  })
  assert.deepEqual(await tryAll(actor, id), Array(9).fill('timed_out'))
  assert.equal(await lift(actor, actor), 'timed_out')
  const { id: roleId } = await owner.client.roles.create(space.id, {
    name: 'admin',
    permissions: Permission.Administrator,
  })
  await owner.client.roles.assign(space.id, actor.id, roleId)
  assert.deepEqual(await tryAll(actor, id), Array(9).fill('timed_out'))
  assert.equal(await timeOut(actor, people.below), 'timed_out')
})

test('TIMEOUT-4: the space receives the member, and only they and moderators the reason', async () => {
  const { owner, above, actor, below } = people
  const listener = await connect(server, above)
  const end = inMs(DAY_MS)
  assert.equal(await timeOut(actor, below, { until: end, reason: 'very secret reason' }), 200)
  const member = await below.client.members.get(space.id, below.id)
  assert.equal(Date.parse(member.timeout_until ?? ''), Date.parse(end))
  await owner.client.messages.create(space.general, { content: 'end' })
  await listener.findEvent('MESSAGE_CREATE')
  const [told] = listener.heard('SPACE_MEMBER_UPDATE')
  assert.deepEqual([Object(told?.d).user_id, Object(told?.d).timeout_until], [below.id, member.timeout_until])
  assert.ok(listener.frames.every(({ text }) => !text.includes('very secret reason')))
  listener.close()
  for (const person of [below, actor, owner]) {
    const timeout = await person.client.members.getTimeout(space.id, below.id)
    assert.deepEqual([timeout.reason, timeout.moderator_id], ['very secret reason', actor.id])
  }
  const read = (person: Person, id: string) => person.call('GET', path(id)).then(outcomeOf)
  assert.equal(await read(above, below.id), 'missing_permission')
  assert.equal(await read(people.outsider, below.id), 'not_a_member')
  assert.equal(await read(above, above.id), 'unknown_timeout')
})

test('TIMEOUT-5: it ends by itself, and a new one replaces it', async () => {
  const { actor, below } = people
  const send = async () =>
    outcomeOf(await below.call('POST', `/api/rooms/${space.general}/messages`, { content: 'x' }))
  await timeOut(actor, below)
  await timeOut(actor, below, { until: inMs(700) })
  assert.equal(await send(), 'timed_out')
  await sleep(750)
  assert.equal(await send(), 200)
  assert.equal(await lift(actor, below), 'unknown_timeout')
  assert.equal(outcomeOf(await below.call('GET', path(below.id))), 'unknown_timeout')
})

test('TIMEOUT-6: leaving and coming back does not end it', async () => {
  const { owner, actor, below } = people
  await timeOut(actor, below)
  const end = await endOf(below)
  await below.client.members.leave(space.id)
  await join(below, owner, space)
  assert.equal(await endOf(below), end)
  const answer = await below.call('POST', `/api/rooms/${space.general}/messages`, { content: 'back' })
  assert.equal(outcomeOf(answer), 'timed_out')
  assert.equal(await lift(actor, below), 204)
  await below.client.messages.create(space.general, { content: 'back' })
})

test('TIMEOUT-3: a flood stops with the answer to the timeout', async () => {
  const { actor, below } = people
  const sent = Array.from({ length: 20 }, () =>
    below.call('POST', `/api/rooms/${space.general}/messages`, { content: 'flood' }),
  )
  await timeOut(actor, below)
  const late = await below.call('POST', `/api/rooms/${space.general}/messages`, { content: 'late' })
  assert.equal(outcomeOf(late), 'timed_out')
  const texts = (await Promise.all(sent)).map(outcomeOf)
  assert.ok(texts.every((outcome) => outcome === 200 || outcome === 'timed_out'))
  const listed = await actor.client.messages.list(space.general)
  assert.equal(listed.length, texts.filter((outcome) => outcome === 200).length)
})

test('TIMEOUT-3: a member who becomes the owner is released', async () => {
  const { owner, actor, below } = people
  const { id } = await below.client.messages.create(space.general, { content: 'mine' })
  await timeOut(actor, below)
  await owner.client.spaces.transfer(space.id, { user_id: below.id })
  assert.equal(await endOf(below), null)
  await below.client.messages.update(space.general, id, { content: 'edited' })
  assert.equal(outcomeOf(await below.call('GET', path(below.id))), 'unknown_timeout')
})

test('TIMEOUT-3: the answer names the timeout, except where the member sees no room', async () => {
  const { owner, actor, below } = people
  const { id } = await owner.client.messages.create(space.general, { content: 'theirs' })
  await owner.client.members.timeOut(space.id, actor.id, { until: inMs(DAY_MS) })
  const rename = (target: string) =>
    actor.call('PATCH', `/api/spaces/${space.id}/members/${target}`, { nickname: 'x' }).then(outcomeOf)
  assert.deepEqual([await rename(actor.id), await rename(below.id)], ['timed_out', 'timed_out'])
  await owner.client.overwrites.upsert(space.id, space.general, {
    target_id: actor.id,
    target_type: 1,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  })
  const send = await actor.call('POST', `/api/rooms/${space.general}/messages`, { content: id })
  assert.equal(outcomeOf(send), 'missing_permission')
})

test('TIMEOUT-5: ended timeouts are deleted in the background, and others stay', async () => {
  const { actor, below, bot, owner } = people
  await timeOut(actor, below, { until: inMs(50) })
  await owner.client.members.timeOut(space.id, bot.id, { until: inMs(DAY_MS) })
  await sleep(60)
  await sweepTimeouts(server.deps.database)
  const rows = await server.deps.database.query<{ user_id: string }>(
    sql`select user_id from timeouts where space_id = ${space.id}`,
  )
  assert.deepEqual(rows, [{ user_id: bot.id }])
})
