import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Conversation } from '@foyer/protocol/conversations'
import { MAX_IMAGE_BYTES } from '@foyer/protocol/limits'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { makeDirect, makeGroup } from '#test/scenes/conversations.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { fileOf, formOf, png } from '#test/scenes/pictures.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { sendFormSlowly } from '#test/slow-forms.ts'
import { listHoldings } from '#test/storages.ts'

let server: TestServer
let ada: Person
let eve: Person
let kim: Person
let group: Conversation
let path: string
let count = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

beforeEach(async () => {
  count += 1
  ada = await createPerson(server, `ada${count}`)
  eve = await createPerson(server, `eve${count}`)
  kim = await createPerson(server, `kim${count}`)
  group = await makeGroup(server, ada, [eve, kim])
  path = `/api/conversations/${group.id}`
})

const update = (person: Person, body: unknown) => person.call('PATCH', path, body)

/** Returns the group's events, as its members get them. */
async function published(): Promise<{ name: string; data: unknown }[]> {
  const entries = await listJournal(server, topicOf.conversation(group.id))
  return entries.map(({ name, data }) => ({ name, data }))
}

test('CONVERSATION-1: several users make a new group each time, which all of them list', async () => {
  const { id, created_at, recipients, ...rest } = group
  const nothing = { icon: null, last_message_id: null, last_seq: 0 }
  assert.deepEqual(rest, { type: 2, name: 'Tea', owner_id: ada.id, ...nothing })
  assert.deepEqual(recipients.map((user) => user.id).toSorted(), [ada.id, eve.id, kim.id].toSorted())
  const again = await ada.client.conversations.create({ recipient_ids: [eve.id, kim.id, eve.id] })
  assert.notEqual(again.id, id)
  for (const person of [ada, eve, kim]) {
    assert.deepEqual(await person.client.conversations.list(), [again, group])
    const heard = await listJournal(server, topicOf.user(person.id))
    const created = heard.filter(({ name }) => name === 'CONVERSATION_CREATE')
    assert.deepEqual(
      created.map(({ data }) => data),
      [group, again],
    )
  }
})

test('CONVERSATION-9: everyone changes name and icon, and only the owner transfers the group', async () => {
  const renamed = await eve.client.conversations.update(group.id, { name: ' Coffee ' })
  assert.equal(renamed.name, 'Coffee')
  const pictured = await kim.client.conversations.update(group.id, { icon: await png() })
  assert.equal(await codeOf(update(eve, { owner_id: eve.id })), '403 group_owner_only')
  const stranger = await createPerson(server, `stranger${count}`)
  for (const id of [stranger.id, newId()])
    assert.equal(await codeOf(update(ada, { owner_id: id })), '404 unknown_member')
  const given = await ada.client.conversations.update(group.id, { owner_id: eve.id })
  assert.deepEqual([given.owner_id, given.icon, given.name], [eve.id, pictured.icon, 'Coffee'])
  assert.equal(await codeOf(update(ada, formOf(['owner_id', ada.id]))), '403 group_owner_only')
  assert.equal(await codeOf(update(ada, { owner_id: ada.id })), '403 group_owner_only')
  const cleared = await kim.client.conversations.update(group.id, { name: null, icon: null })
  assert.deepEqual([cleared.name, cleared.icon], [null, null])
  assert.deepEqual(
    await published(),
    [renamed, pictured, given, cleared].map((data) => ({ name: 'CONVERSATION_UPDATE', data })),
  )
  assert.deepEqual(await ada.client.conversations.get(group.id), cleared)
})

test('CONVERSATION-9: a change without effect publishes nothing, and an invalid one changes nothing', async () => {
  for (const body of [{}, { name: 'Tea' }, { icon: null }, { owner_id: ada.id }])
    assert.deepEqual((await update(eve, body)).body, group)
  for (const body of [
    { name: 'x'.repeat(101) },
    { name: '' },
    { name: 7 },
    { owner_id: null },
    { owner_id: 'x' },
  ])
    assert.equal(await codeOf(update(ada, body)), '400 invalid_request')
  for (const icon of [newId(), 'x'])
    assert.equal(await codeOf(update(ada, { name: 'Half', icon })), '400 image_needs_multipart')
  assert.deepEqual([await published(), await ada.client.conversations.get(group.id)], [[], group])
})

test('CONVERSATION-9: a direct conversation cannot be changed', async () => {
  const { id } = await makeDirect(server, ada, eve)
  const direct = `/api/conversations/${id}`
  for (const body of [{ name: 'Us' }, formOf(['icon', await png()])])
    assert.equal(await codeOf(ada.call('PATCH', direct, body)), '400 not_a_group')
  for (const method of ['PUT', 'DELETE'])
    for (const other of [ada, kim])
      assert.equal(await codeOf(ada.call(method, `${direct}/members/${other.id}`)), '400 not_a_group')
  assert.deepEqual((await listHoldings(server, id)).ids, [])
})

test('CONVERSATION-10: an icon is in the server’s own storage, visible to everyone, and deleted when it is replaced', async () => {
  const first = await ada.client.conversations.update(group.id, { icon: await png(), name: 'With icon' })
  const second = await eve.call('PUT', path, formOf(['icon', await png()], ['name', '']))
  const shown = await ada.client.conversations.get(group.id)
  assert.deepEqual(second.body, shown)
  assert.deepEqual([shown.name, first.name], [null, 'With icon'])
  assert.deepEqual((await listHoldings(server, group.id)).ids, [shown.icon])
  assert.equal((await server.fetch(`/attachments/${shown.icon}?stream=1`)).status, 200)
  assert.equal((await server.fetch(`/attachments/${first.icon}?stream=1`)).status, 404)
  await update(eve, formOf(['remove_icon', 'true']))
  assert.deepEqual((await listHoldings(server, group.id)).ids, [])
})

test('CONVERSATION-10: icons of failed and overtaken changes are discarded', async () => {
  const large = fileOf(Buffer.alloc(MAX_IMAGE_BYTES + 1), 'large.png', 'image/png')
  assert.equal(await codeOf(update(eve, formOf(['icon', large]))), '413 image_too_large')
  const svg = fileOf('<svg/>', 'a.svg', 'image/svg+xml')
  assert.equal(await codeOf(update(eve, formOf(['icon', svg]))), '400 invalid_image')
  const long: [string, string] = ['name', 'x'.repeat(101)]
  assert.equal(await codeOf(update(eve, formOf(['icon', await png()], long))), '400 invalid_request')
  const slow = { method: 'PATCH', path, form: formOf(['icon', await png()], ['name', 'Late']) }
  const remove = () => ada.client.conversations.removeMember(group.id, eve.id)
  assert.equal(await sendFormSlowly(server, eve, slow, remove), 404)
  assert.deepEqual((await listHoldings(server, group.id)).ids, [])
  assert.equal((await ada.client.conversations.get(group.id)).name, 'Tea')
})

test('CONVERSATION-10: one of several simultaneous icons stays', async () => {
  const icon = await png()
  const lock = await holdLock(server, sql`select from conversations where id = ${group.id} for no key update`)
  const updates = [ada, eve, kim].map((person) => person.client.conversations.update(group.id, { icon }))
  await lock.waitForBlocked(3)
  await lock.release()
  await Promise.all(updates)
  const shown = await ada.client.conversations.get(group.id)
  assert.deepEqual((await listHoldings(server, group.id)).ids, [shown.icon])
})

test('CONVERSATION-10: no icons are left except those that are shown', () => checkFilesAtRest(server))
