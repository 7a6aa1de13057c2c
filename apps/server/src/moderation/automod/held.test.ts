import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { HeldMessage } from '@foyer/protocol/automod'
import { Capability } from '@foyer/protocol/capabilities'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { Automod } from '@foyer/sdk/api/automod'
import { idTime } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { sweepAutomod } from '#src/moderation/screening/queries.ts'
import { eraseAccount } from '#src/people/accounts/erasure.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import { connect } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { newestEntry } from '#test/scenes/audit-log.ts'
import { CAUGHT, contentsIn, outcomeOf, trySending, wordRule } from '#test/scenes/automod.ts'
import { namesOf, note, postForm, putUpload } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { formOf } from '#test/scenes/pictures.ts'
import { createRankedPeople, makeRankedSpace, type RankedPeople } from '#test/scenes/ranked-people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
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
  await wordRule(people.owner, space, { action: 'hold' })
})

const heldPath = (id: string) => `/api/spaces/${space.id}/automod/held/${id}`
const approve = (person: Person, id: string) => person.call('POST', `${heldPath(id)}/approve`).then(outcomeOf)
const reject = (person: Person, id: string) => person.call('DELETE', heldPath(id)).then(outcomeOf)
const listHeld = ({ client } = people.owner) => client.api(Automod).listHeld(space.id)
const send = (content = CAUGHT, nonce?: string) => trySending(people.below, space.general, content, nonce)

async function holdOne(content = CAUGHT): Promise<HeldMessage> {
  assert.equal(await send(content), 'held_for_review')
  const held = (await listHeld()).at(-1)
  assert.ok(held)
  return held
}

test('AUTOMOD-6: a held message waits, unseen, and a moderator posts it for its author', async () => {
  const { owner, actor, below } = people
  const { id, created_at, author, ...rest } = await holdOne(`a ${CAUGHT}`)
  assert.deepEqual(await contentsIn(owner, space.general), [])
  assert.deepEqual(rest, {
    space_id: space.id,
    room_id: space.general,
    rule_id: rest.rule_id,
    rule_name: 'Animals',
    content: `a ${CAUGHT}`,
    file_count: 0,
    reply_to: null,
  })
  assert.equal(author.id, below.id)
  assert.equal(Date.parse(created_at), idTime(id))
  const posted = await actor.client.api(Automod).approveHeld(space.id, id)
  assert.deepEqual([posted.author.id, posted.content], [below.id, `a ${CAUGHT}`])
  assert.deepEqual(await contentsIn(owner, space.general), [`a ${CAUGHT}`])
  assert.deepEqual(await listHeld(), [])
  const entry = await newestEntry(owner, space.id)
  assert.deepEqual(
    [entry.action, entry.actor_id, entry.target_id],
    ['held_message_approve', actor.id, below.id],
  )
  assert.deepEqual([await approve(actor, id), await reject(actor, id)], Array(2).fill('unknown_held_message'))
})

test('AUTOMOD-6: a rejected message is gone with its files', async () => {
  const { owner, actor, below } = people
  const file = note('x')
  assert.equal(
    (await postForm(below, space.general, formOf(['content', CAUGHT], ['files', file]))).code,
    'held_for_review',
  )
  const [held] = await listHeld()
  assert.equal(held?.file_count, 1)
  assert.equal(await reject(actor, held?.id ?? ''), 204)
  assert.deepEqual([await listHeld(), await contentsIn(owner, space.general)], [[], []])
  const entry = await newestEntry(owner, space.id)
  assert.deepEqual([entry.action, entry.actor_id], ['held_message_reject', actor.id])
  await checkFilesAtRest(server)
})

test('AUTOMOD-6: files, replies and mentions of a held message are posted with it', async () => {
  const { owner, below } = people
  const first = await owner.client.messages.create(space.general, { content: 'first' })
  const upload = await putUpload(below, space.general, note('y', 'upload.txt'))
  const payload = JSON.stringify({
    content: `${CAUGHT} <@${owner.id}>`,
    attachment_ids: [upload],
    attachments: [{ id: 0, description: 'a note' }],
    reference: { message_id: first.id },
  })
  const form = formOf(['payload_json', payload], ['files', note('x', 'form.txt')])
  assert.equal((await postForm(below, space.general, form)).code, 'held_for_review')
  const [held] = await listHeld()
  assert.deepEqual([held?.file_count, held?.reply_to], [2, first.id])
  const posted = await owner.client.api(Automod).approveHeld(space.id, held?.id ?? '')
  assert.deepEqual(namesOf(posted), ['form.txt', 'upload.txt'])
  assert.deepEqual(
    posted.attachments.map(({ description }) => description),
    ['a note', null],
  )
  assert.equal(posted.referenced_message?.id, first.id)
  assert.deepEqual([posted.mentions.length, posted.mentions[0]?.id], [1, owner.id])
  await checkFilesAtRest(server)
})

test('AUTOMOD-6: a forward is refused, because its origin may change before a moderator looks', async () => {
  const { owner, below } = people
  const elsewhere = await makeSpace(owner, [below])
  const original = await owner.client.messages.create(elsewhere.general, { content: CAUGHT })
  const reference = { type: 1, message_id: original.id, room_id: elsewhere.general }
  const answer = await below.call('POST', `/api/rooms/${space.general}/messages`, { reference })
  assert.equal(answer.code, 'automod_refused')
  assert.deepEqual(await listHeld(), [])
})

test('AUTOMOD-6: the author can neither use nor cancel the files of a held message', async () => {
  const { owner, below } = people
  const id = await putUpload(below, space.general, note('x'))
  const body = { content: CAUGHT, attachment_ids: [id] }
  const answer = await below.call('POST', `/api/rooms/${space.general}/messages`, body)
  assert.equal(answer.code, 'held_for_review')
  const again = await below.call('POST', `/api/rooms/${space.general}/messages`, { attachment_ids: [id] })
  assert.equal(again.code, 'unknown_attachment')
  const cancelled = await below.call('DELETE', `/api/rooms/${space.general}/attachments/${id}`)
  assert.equal(cancelled.status, 404)
  const [held] = await listHeld()
  const posted = await owner.client.api(Automod).approveHeld(space.id, held?.id ?? '')
  assert.deepEqual(namesOf(posted), ['note.txt'])
  await checkFilesAtRest(server)
})

test('AUTOMOD-6: a nonce that the author has used for another message does not replace the held one', async () => {
  const { owner, below } = people
  assert.equal(await send(CAUGHT, 'n'), 'held_for_review')
  await below.client.messages.create(space.general, { content: 'harmless', nonce: 'n' })
  const [held] = await listHeld()
  const posted = await owner.client.api(Automod).approveHeld(space.id, held?.id ?? '')
  assert.equal(posted.content, CAUGHT)
  assert.deepEqual(await contentsIn(owner, space.general), ['harmless', CAUGHT])
})

test('AUTOMOD-6: held messages of a deleted room and of a deleted account are gone', async () => {
  const { owner, below } = people
  const { id: room } = await owner.client.rooms.create(space.id, { name: 'gone', type: RoomType.Text })
  assert.equal(await trySending(below, room, CAUGHT), 'held_for_review')
  await owner.client.rooms.delete(space.id, room)
  const left = await server.deps.database.query(sql`select from held_messages where room_id = ${room}`)
  assert.equal(left.length, 0)
  const guest = await createPerson(server, 'leaver')
  await join(guest, owner, space)
  assert.equal(await trySending(guest, space.general, CAUGHT), 'held_for_review')
  await eraseAccount(server.deps, guest.id, { close: async () => undefined })
  const [row] = await server.deps.database.query<{ held: number; hits: number }>(sql`
    select (select count(*) from held_messages where user_id = ${guest.id})::integer as held,
      (select count(*) from automod_hits where user_id = ${guest.id})::integer as hits`)
  assert.deepEqual(row, { held: 0, hits: 0 })
})

test('AUTOMOD-6: a moderator who has lost the right meanwhile decides nothing', async () => {
  const { owner, actor } = people
  const { id } = await holdOne()
  const lock = await holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
  const deciding = reject(actor, id)
  await lock.waitForBlocked(1)
  await server.deps.database.execute(sql`
    delete from member_roles where space_id = ${space.id} and user_id = ${actor.id} returning role_id`)
  await lock.release()
  assert.equal(await deciding, 'missing_permission')
  assert.deepEqual(
    (await listHeld(owner)).map((held) => held.id),
    [id],
  )
})

test('AUTOMOD-6: a retry holds nothing twice, and returns the message once it is posted', async () => {
  const { owner, below } = people
  for (let tries = 0; tries < 3; tries += 1) assert.equal(await send(CAUGHT, 'n'), 'held_for_review')
  const [held, ...others] = await listHeld()
  assert.deepEqual(others, [])
  const { hits } = await owner.client.api(Automod).listHits(space.id)
  assert.equal(hits.length, 1)
  const posted = await owner.client.api(Automod).approveHeld(space.id, held?.id ?? '')
  const again = await below.client.messages.create(space.general, { content: CAUGHT, nonce: 'n' })
  assert.equal(again.id, posted.id)
})

test('AUTOMOD-6: ten messages of a member wait at most', async () => {
  const { owner } = people
  for (let number = 0; number < 10; number += 1)
    assert.equal(await send(`${CAUGHT} ${number}`, `nonce ${number}`), 'held_for_review')
  assert.equal(await send(`${CAUGHT} 9`, 'nonce 9'), 'held_for_review')
  assert.equal((await listHeld()).length, 10)
  assert.equal(await send(), 'too_many_held')
  assert.equal((await newestEntry(owner, space.id)).action, 'automod_refuse')
  assert.equal(await reject(owner, (await listHeld())[0]?.id ?? ''), 204)
  assert.equal(await send(), 'held_for_review')
})

test('AUTOMOD-6: of moderators who decide at once, one decides', async () => {
  const { owner, actor } = people
  for (let round = 0; round < 5; round += 1) {
    const { id } = await holdOne(`${CAUGHT} ${round}`)
    const answers = await Promise.all([
      approve(owner, id),
      reject(actor, id),
      approve(actor, id),
      reject(owner, id),
    ])
    const decided = answers.filter((answer) => answer !== 'unknown_held_message')
    assert.equal(decided.length, 1)
    const isPosted = (await contentsIn(owner, space.general)).includes(`${CAUGHT} ${round}`)
    assert.equal(isPosted, decided[0] === 200)
  }
})

test('AUTOMOD-6: a message of a member who left cannot be posted, and waits until it is rejected', async () => {
  const { owner, below } = people
  const { id } = await holdOne()
  await below.client.members.leave(space.id)
  assert.equal(await approve(owner, id), 'author_gone')
  assert.equal((await listHeld()).length, 1)
  assert.equal(await reject(owner, id), 204)
})

test('AUTOMOD-6: slow mode and a timeout do not stop a moderator from posting', async () => {
  const { owner, below } = people
  const { id } = await holdOne()
  await owner.client.rooms.update(space.id, space.general, { slow_mode_seconds: 60 })
  await below.client.messages.create(space.general, { content: 'takes the turn' })
  const until = new Date(Date.now() + 60_000).toISOString()
  await owner.client.members.timeOut(space.id, below.id, { until })
  assert.equal(await approve(owner, id), 200)
})

test('AUTOMOD-6: what cannot be held is refused: edits, webhooks, nicknames', async () => {
  const { below } = people
  const own = await below.client.messages.create(space.general, { content: 'own' })
  const edit = await below.call('PATCH', `/api/rooms/${space.general}/messages/${own.id}`, {
    content: CAUGHT,
  })
  const nickname = await below.call('PATCH', `/api/spaces/${space.id}/members/@me`, { nickname: CAUGHT })
  assert.deepEqual([edit.code, nickname.code], ['automod_refused', 'automod_refused'])
  assert.deepEqual(await listHeld(), [])
})

test('AUTOMOD-6: held messages are kept for seven days', async () => {
  const { owner } = people
  const { id } = await holdOne()
  await sweepAutomod(server.deps.database)
  assert.equal((await listHeld()).length, 1)
  await server.deps.database.execute(sql`
    update held_messages set id = '01800000-0000-7000-8000-000000000000' where id = ${id} returning id`)
  await sweepAutomod(server.deps.database)
  assert.deepEqual(await listHeld(), [])
  assert.equal((await owner.client.api(Automod).listHits(space.id)).hits.length, 1)
})

test('AUTOMOD-7: only those with ManageAutomod who view the room see held messages, live and later', async () => {
  const { owner, actor, above, below } = people
  const { id: hidden } = await owner.client.rooms.create(space.id, { name: 'hidden', type: 1 })
  for (const target of [actor.id, above.id])
    await owner.client.overwrites.upsert(space.id, target === actor.id ? hidden : space.lounge, {
      target_id: target,
      target_type: OverwriteTarget.Member,
      allow_flags: 0,
      deny_flags: Permission.ViewChannels,
    })
  const connected = await Promise.all([owner, actor, above, below].map((person) => connect(server, person)))
  assert.equal(await trySending(below, hidden, `hidden ${CAUGHT}`), 'held_for_review')
  const [held] = await listHeld()
  assert.deepEqual(
    [(await listHeld(actor)).length, await approve(actor, held?.id ?? '')],
    [0, 'unknown_held_message'],
  )
  assert.equal(await reject(actor, held?.id ?? ''), 'unknown_held_message')
  const open = await holdOne(`open ${CAUGHT}`)
  assert.equal(await reject(owner, held?.id ?? ''), 204)
  assert.equal(await approve(owner, open.id), 200)
  for (const client of connected) await client.settle()
  const seen = connected.map((client) => client.heard('HELD_MESSAGES_UPDATE').length)
  assert.deepEqual(seen, [4, 4, 0, 0])
  for (const client of connected) client.close()
  const whole = connected.flatMap(({ frames }) => frames.map(({ text }) => text)).join()
  assert.equal(/@example\.org|hidden wombat/.test(whole), false)
})
