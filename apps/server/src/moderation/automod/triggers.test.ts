import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import type { AutomodTrigger } from '@foyer/protocol/automod'
import { sql } from '#src/kernel/sql/sql.ts'
import { forgetCredentials } from '#test/forget-credentials.ts'
import { outcomeOf, trySending, wordRule } from '#test/scenes/automod.ts'
import { note, postForm, putUpload } from '#test/scenes/messages.ts'
import { createPerson } from '#test/scenes/people.ts'
import { formOf } from '#test/scenes/pictures.ts'
import { createRankedPeople, makeRankedSpace, type RankedPeople } from '#test/scenes/ranked-people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
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
  space = await makeRankedSpace(server, people, 0)
})

const rule = (trigger: AutomodTrigger) => wordRule(people.owner, space, { trigger })
const send = (content: string, person = people.below) => trySending(person, space.general, content)
const sendFile = (file: File) =>
  postForm(people.below, space.general, formOf(['files', file])).then(outcomeOf)

test('AUTOMOD-11: more mentions than allowed are caught, however often one is repeated', async () => {
  const { owner, actor, above, equal } = people
  await rule({ type: 'mentions', max: 2 })
  const mention = (...who: { id: string }[]) => send(who.map(({ id }) => `<@${id}>`).join(' '))
  assert.equal(await mention(owner, actor), 200)
  assert.equal(await mention(owner, owner, owner), 200)
  assert.equal(await mention(owner, actor, above), 'automod_refused')
  const own = await people.below.client.messages.create(space.general, { content: 'own' })
  const edited = await people.below.call('PATCH', `/api/rooms/${space.general}/messages/${own.id}`, {
    content: `<@${owner.id}> <@${actor.id}> <@${equal.id}>`,
  })
  assert.equal(edited.code, 'automod_refused')
})

test('AUTOMOD-11: the same text too often within the time is caught, also disguised, in other rooms, of one author', async () => {
  const { owner, above } = people
  const { id: other } = await owner.client.rooms.create(space.id, { name: 'other', type: 1 })
  await rule({ type: 'repeats', count: 3, seconds: 60 })
  assert.deepEqual([await send('Buy now'), await send('BUY NOW')], [200, 200])
  assert.equal(await send('buy now'), 'automod_refused')
  assert.equal(await trySending(people.below, other, 'buy now'), 'automod_refused')
  assert.deepEqual([await send('Buy later'), await send('Buy now', above)], [200, 200])
})

test('AUTOMOD-11: a retry is no repeat', async () => {
  await rule({ type: 'repeats', count: 3, seconds: 60 })
  const again = () => trySending(people.below, space.general, 'hello', 'nonce')
  for (let tries = 0; tries < 4; tries += 1) assert.equal(await again(), 200)
  assert.deepEqual([await send('hello'), await send('hello')], [200, 'automod_refused'])
})

test('AUTOMOD-27: invites of the space itself are not caught, those of others are', async () => {
  const url = 'https://chat.example.org'
  const other = await startTestServer({ publicUrl: url })
  try {
    const [host, guest] = [await createPerson(other, 'host'), await createPerson(other, 'guest')]
    const [home, elsewhere] = [await makeSpace(host, [guest]), await makeSpace(host)]
    await wordRule(host, home, { trigger: { type: 'invites' } })
    const link = async ({ id, general }: TestSpace) => {
      const { code } = await host.client.invites.create(id, general)
      return trySending(guest, home.general, `${url}/invite/${code}`)
    }
    assert.deepEqual([await link(home), await link(elsewhere)], [200, 'automod_refused'])
  } finally {
    await other.close()
  }
  await rule({ type: 'invites' })
  assert.equal(await send('discord.gg/abc123'), 'automod_refused')
})

test('AUTOMOD-11: members with new accounts are caught', async () => {
  await rule({ type: 'new_accounts', hours: 24 })
  assert.equal(await send('hi'), 'automod_refused')
  await server.deps.database.execute(sql`
    update users set created_at = now() - interval '25 hours' where id = ${people.below.id} returning id`)
  await forgetCredentials(server, people.below.id)
  assert.equal(await send('hi'), 200)
})

test('AUTOMOD-11: files are caught by their types, whatever they are called', async () => {
  await rule({ type: 'attachments', content_types: ['text/*', 'application/zip'] })
  assert.equal(await sendFile(note('plain')), 'automod_refused')
  const zip = new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 0, 0])
  assert.equal(await sendFile(new File([zip], 'a.zip', { type: 'application/zip' })), 'automod_refused')
  assert.equal(await sendFile(new File([zip], 'a.bin', { type: 'image/png' })), 'automod_refused')
  assert.equal(await sendFile(new File([new Uint8Array(9)], 'a.bin')), 200)
})

test('AUTOMOD-11: files are caught by their content, however they come', async () => {
  const { below } = people
  const sha256 = createHash('sha256').update('bad').digest('hex').toUpperCase()
  await rule({ type: 'attachments', sha256: [sha256] })
  assert.equal(await sendFile(note('bad', 'harmless.txt')), 'automod_refused')
  assert.equal(await sendFile(note('good')), 200)
  const upload = await putUpload(below, space.general, note('bad'))
  const sent = await below.call('POST', `/api/rooms/${space.general}/messages`, { attachment_ids: [upload] })
  assert.equal(sent.code, 'automod_refused')
  const message = await people.owner.client.messages.create(space.general, {
    attachment_ids: [await putUpload(people.owner, space.general, note('bad'))],
  })
  const reference = { type: 1, message_id: message.id }
  const forwarded = await below.call('POST', `/api/rooms/${space.general}/messages`, { reference })
  assert.equal(forwarded.code, 'automod_refused')
})
