import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Message } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import type { Webhook } from '@foyer/protocol/webhooks'
import { ApiError } from '@foyer/sdk/rest'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import { note } from '#test/scenes/messages.ts'
import { type Answer, createPerson, type Person } from '#test/scenes/people.ts'
import { formOf, png } from '#test/scenes/pictures.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { askByToken } from '#test/scenes/webhooks.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let member: Person
let space: TestSpace
let webhook: Webhook

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  member = await createPerson(server, 'member')
  space = await makeSpace(owner, [member])
  webhook = await owner.client.webhooks.create(space.general, { name: 'News' })
})
after(() => checkFilesAtRest(server).finally(server.close))

const ask = (method: string, path = '', body?: object | string): Promise<Answer> =>
  askByToken(server, webhook, { method, path, body })

const post = (body: object): Promise<Message> => owner.client.webhooks.execute(webhook, body)

const hooks = () => member.client.webhooks

function refusedWith(code: string) {
  return (error: unknown) => error instanceof ApiError && error.code === code
}

test('WEBHOOK-16: the token reads, renames and deletes its webhook, without an account', async () => {
  const own = await owner.client.webhooks.create(space.general, { name: 'Before' })
  const { creator_id, has_secret, ...shown } = own
  assert.deepEqual(await hooks().getByToken(own), shown)
  const body = { name: 'After', room_id: space.lounge, channel_id: space.lounge }
  const renamed = await askByToken(server, own, { method: 'PATCH', body })
  assert.deepEqual([renamed.status, renamed.body], [200, { ...shown, name: 'After' }])
  const [event] = (await listJournal(server, topicOf.space(space.id))).slice(-1)
  assert.deepEqual(
    [event?.name, event?.data],
    ['SPACE_WEBHOOKS_UPDATE', { space_id: space.id, room_id: space.general }],
  )
  await hooks().deleteByToken(own)
  await assert.rejects(hooks().getByToken(own), refusedWith('unknown_webhook'))
  assert.equal((await listJournal(server, topicOf.space(space.id))).at(-1)?.name, 'SPACE_WEBHOOKS_UPDATE')
})

test('WEBHOOK-16: an avatar is set by a data address or a file, and removed by null', async () => {
  const bytes = Buffer.from(await (await png()).arrayBuffer())
  const painted = await hooks().updateByToken(webhook, {
    avatar: `data:image/png;base64,${bytes.toString('base64')}`,
  })
  const picture = await server.fetch(`/attachments/${painted.avatar}?stream=1`)
  assert.equal(picture.headers.get('content-type'), 'image/png')
  await picture.body?.cancel()
  assert.equal((await hooks().updateByToken(webhook, { name: 'News' })).avatar, painted.avatar)
  assert.equal((await hooks().updateByToken(webhook, { avatar: null })).avatar, null)
  const form = formOf(['name', 'News'], ['avatar', await png()])
  const { status } = await ask('PATCH', '', form)
  const { avatar } = await hooks().getByToken(webhook)
  assert.deepEqual([status, typeof avatar], [200, 'string'])
  const bad = [
    'data:image/png;base64,',
    'data:image/png;base64,AAAA',
    'data:text/html,x',
    'https://e.org/x.png',
  ]
  for (const address of bad)
    assert.match(`${(await ask('PATCH', '', { avatar: address })).code}`, /^i(?:nvalid|mage)_/, address)
  assert.equal((await hooks().getByToken(webhook)).avatar, avatar)
})

test('WEBHOOK-16: a wrong token is answered like an unknown webhook, whatever is sent', async () => {
  const wrong = { id: webhook.id, token: 'wrong' }
  const unknown = { id: newId(), token: webhook.token }
  for (const given of [wrong, unknown])
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', `/messages/${newId()}`],
      ['PATCH', `/messages/${newId()}`],
      ['DELETE', `/messages/${newId()}`],
    ] as const) {
      const body = method === 'PATCH' ? '{"name": 7' : undefined
      const { status, code } = await askByToken(server, given, { method, path, body })
      assert.deepEqual([status, code], [404, 'unknown_webhook'])
    }
  assert.equal((await hooks().getByToken(webhook)).name, 'News')
  assert.equal((await ask('PATCH', '', '{"name": 7')).status, 400)
})

test('WEBHOOK-17: the token reads, edits and deletes messages that its webhook posted', async () => {
  const message = await post({ content: 'running', embeds: [{ title: 'Build 1' }], username: 'CI' })
  assert.deepEqual(await hooks().getMessage(webhook, message.id), message)
  const content = `done <@${member.id}>`
  const edited = await hooks().updateMessage(webhook, message.id, { content })
  assert.deepEqual(
    [edited.content, edited.author, edited.mentions.map(({ id }) => id), edited.embeds],
    [content, message.author, [member.id], message.embeds],
  )
  assert.notEqual(edited.edited_at, null)
  assert.deepEqual(await member.client.messages.get(space.general, message.id), edited)
  const journal = () => listJournal(server, topicOf.room(space.id, space.general))
  const [change] = (await journal()).slice(-1)
  assert.deepEqual([change?.name, change?.data], ['MESSAGE_UPDATE', edited])
  await hooks().deleteMessage(webhook, message.id)
  const [deletion] = (await journal()).slice(-1)
  assert.equal(deletion?.name, 'MESSAGE_DELETE')
  await assert.rejects(hooks().getMessage(webhook, message.id), refusedWith('unknown_message'))
})

test('WEBHOOK-17: null clears, unless nothing would be left, and flags switch previews', async () => {
  const message = await post({ content: 'https://example.org', embeds: [{ title: 'Card' }] })
  const bare = await hooks().updateMessage(webhook, message.id, { embeds: null })
  assert.deepEqual([bare.content, bare.embeds], ['https://example.org', []])
  const path = `/messages/${message.id}`
  assert.equal((await ask('PATCH', path, { content: null })).code, 'empty_message')
  assert.equal((await hooks().updateMessage(webhook, message.id, { flags: 4 })).flags, 1)
  assert.equal((await hooks().updateMessage(webhook, message.id, { flags: 0 })).flags, 0)
  const carded = await hooks().updateMessage(webhook, message.id, {
    content: null,
    embeds: [{ description: 'only' }],
  })
  assert.deepEqual([carded.content, carded.embeds[0]?.description], ['', 'only'])
  const many = { embeds: Array.from({ length: 2 }, () => ({ description: 'd'.repeat(4000) })) }
  assert.equal((await ask('PATCH', path, many)).code, 'embeds_too_large')
  assert.equal((await ask('PATCH', path, { content: 'x'.repeat(4001) })).code, 'invalid_request')
  const form = formOf(['payload_json', JSON.stringify({ content: 'by form' })])
  assert.equal((await ask('PATCH', path, form)).status, 200)
  assert.equal((await hooks().getMessage(webhook, message.id)).content, 'by form')
  const withFile = formOf(['payload_json', '{"content":"x"}'], ['files[0]', note('x')])
  assert.equal((await ask('PATCH', path, withFile)).code, 'invalid_request')
  assert.equal((await hooks().getMessage(webhook, message.id)).content, 'by form')
})

test('WEBHOOK-17: messages of people, other webhooks and other rooms are 404', async () => {
  const other = await owner.client.webhooks.create(space.general, { name: 'Other' })
  const byOther = await owner.client.webhooks.execute(other, { content: 'of another' })
  const byPerson = await member.client.messages.create(space.general, { content: 'of a person' })
  const moved = await owner.client.webhooks.create(space.lounge, { name: 'Moved' })
  const elsewhere = await owner.client.webhooks.execute(moved, { content: 'in the lounge' })
  await owner.client.webhooks.update(moved.id, { room_id: space.general })
  for (const [given, { id }] of [
    [webhook, byOther],
    [webhook, byPerson],
    [webhook, elsewhere],
    [moved, elsewhere],
    [webhook, { id: newId() }],
  ] as const)
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { content: 'taken over' } : undefined
      const answer = await askByToken(server, given, { method, path: `/messages/${id}`, body })
      assert.deepEqual([answer.status, answer.code], [404, 'unknown_message'])
    }
  assert.deepEqual(await member.client.messages.get(space.general, byPerson.id), byPerson)
  assert.equal((await hooks().getMessage(other, byOther.id)).content, 'of another')
})

test('WEBHOOK-17: an edit mentions everyone if the creator may, and only if allowed_mentions permits', async () => {
  const manager = await createPerson(server, 'manager')
  const place = await makeSpace(owner, [manager])
  const permissions = Permission.ManageSpaceWebhooks
  const role = await owner.client.roles.create(place.id, { name: 'hooks', permissions })
  await owner.client.roles.assign(place.id, manager.id, role.id)
  const quiet = await manager.client.webhooks.create(place.general, { name: 'Quiet' })
  const loud = await owner.client.webhooks.create(place.general, { name: 'Loud' })
  const everyone = async (given: Webhook, body: object) => {
    const { id } = await owner.client.webhooks.execute(given, { content: 'first' })
    return (await hooks().updateMessage(given, id, { content: '@everyone', ...body })).mention_everyone
  }
  assert.deepEqual(
    [
      await everyone(quiet, {}),
      await everyone(loud, {}),
      await everyone(loud, { allowed_mentions: { parse: [] } }),
    ],
    [false, true, false],
  )
})
