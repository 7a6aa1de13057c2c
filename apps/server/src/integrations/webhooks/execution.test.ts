import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Message, MessageFlag } from '@foyer/protocol/messages'
import type { Webhook } from '@foyer/protocol/webhooks'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import { note } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { cutShort, formOf, png } from '#test/scenes/pictures.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { deliver } from '#test/scenes/webhooks.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { sendFormSlowly } from '#test/slow-forms.ts'

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

async function newest(): Promise<Message> {
  const [message] = await member.client.messages.list(space.general, { limit: 1 })
  assert.ok(message !== undefined)
  return message
}

/** Posts something invalid. Checks that nothing was stored, and returns the refusal. */
async function refusalOf(body: object | string): Promise<string> {
  const before = (await newest()).id
  const { status, code, text } = await deliver(server, webhook, body)
  assert.equal((await newest()).id, before)
  const { error } = JSON.parse(text)
  return `${status} ${code}: ${error}`
}

test('WEBHOOK-6: the answer is 204, or with wait=true the message, which is published all the same', async () => {
  const silent = await deliver(server, webhook, { content: 'one' })
  assert.deepEqual([silent.status, silent.text], [204, ''])
  const told = await deliver(
    server,
    webhook,
    { content: '  two  ', tts: true, thread_name: 'x' },
    { path: '?wait=true' },
  )
  const message = await newest()
  assert.deepEqual([told.status, told.body, message.content], [200, message, 'two'])
  const [event] = (await listJournal(server, topicOf.room(space.id, space.general))).slice(-1)
  assert.deepEqual([event?.name, event?.data], ['MESSAGE_CREATE', message])
})

test('WEBHOOK-6: JSON and forms of either kind are equivalent', async () => {
  const body = { content: 'the same', username: 'Somebody else', embeds: [{ title: 'A card', color: 255 }] }
  const json = JSON.stringify(body)
  const bodies = [
    body,
    formOf(['payload_json', json]),
    new URLSearchParams({ payload_json: json }),
    formOf(['content', 'overruled'], ['payload_json', json]),
  ]
  for (const given of bodies) {
    assert.equal((await deliver(server, webhook, given)).status, 204)
    const { content, author, embeds } = await newest()
    assert.deepEqual(
      [content, author.username, embeds[0]?.title, embeds[0]?.color],
      ['the same', 'Somebody else', 'A card', 255],
    )
  }
  await deliver(server, webhook, new URLSearchParams({ content: 'typed by hand', username: '' }))
  const { content, author } = await newest()
  assert.deepEqual([content, author.username], ['typed by hand', 'News'])
})

test('WEBHOOK-6: empty texts count as omitted', async () => {
  const nothing = { url: '', icon_url: '' }
  const embed = {
    title: 'A card',
    ...nothing,
    image: nothing,
    thumbnail: nothing,
    author: { name: '', ...nothing },
    footer: { text: '', ...nothing },
  }
  const body = { username: '', avatar_url: '', embeds: [embed] }
  for (const wait of ['true', 'True', '1']) {
    const { status, body: told } = await deliver(server, webhook, body, { path: `?wait=${wait}` })
    assert.deepEqual([status, told], [200, await newest()])
  }
  const { author, embeds } = await newest()
  const [{ url, image, thumbnail, author: by, footer } = {}] = embeds
  assert.deepEqual([author.username, url, image, thumbnail, by, footer], ['News', ...Array(5).fill(null)])
  for (const wait of ['false', '0', '']) {
    assert.equal((await deliver(server, webhook, body, { path: `?wait=${wait}` })).status, 204)
  }
  assert.equal(
    await refusalOf({ embeds: [{ title: 'x', url: 'x' }] }),
    '400 invalid_request: embeds.0.url must be an http or https address',
  )
})

test('WEBHOOK-6: unknown fields of a form are ignored, whatever they contain', async () => {
  const extra = { embeds: '[]', allowed_mentions: 'x', flags: '4', tts: 'true' }
  const form = new FormData()
  for (const [name, value] of Object.entries({ content: 'by form', ...extra })) form.append(name, value)
  const encoded = new URLSearchParams({ content: 'by form', ...extra })
  for (const body of [form, encoded]) {
    assert.equal((await deliver(server, webhook, body)).status, 204)
    const { content, embeds, flags } = await newest()
    assert.deepEqual({ content, embeds, flags }, { content: 'by form', embeds: [], flags: 0 })
  }
})

test('WEBHOOK-6: the addresses of an embed must be valid', async () => {
  const unreadable = [
    'http://x:99999/',
    'https://%',
    'http://[::1',
    'https://#',
    'https://<~',
    'http://1.2.3.4.5',
  ]
  for (const url of unreadable) {
    assert.equal(
      await refusalOf({ embeds: [{ title: 'x', video: { url } }] }),
      '400 invalid_request: embeds.0.video.url must be an http or https address',
    )
    assert.equal(
      await refusalOf({ embeds: [{ title: 'x', author: { name: 'x', icon_url: url } }] }),
      '400 invalid_request: embeds.0.author.icon_url must be an http or https address',
    )
  }
})

test('WEBHOOK-6: known flags of integrations and our own apply, and others are ignored', async () => {
  const { SuppressEmbeds, SuppressNotifications } = MessageFlag
  const meanings: [number | null, number][] = [
    [1, SuppressEmbeds],
    [4, SuppressEmbeds],
    [2, SuppressNotifications],
    [4096 | 4, SuppressEmbeds | SuppressNotifications],
    [8 | 64 | 32768, 0],
    [-1, SuppressEmbeds | SuppressNotifications],
    [null, 0],
  ]
  for (const [flags, meant] of meanings) {
    await deliver(server, webhook, { content: 'flagged', flags })
    assert.equal((await newest()).flags, meant, `${flags}`)
  }
})

test('WEBHOOK-6: a body without content, or of the wrong shape, is 400', async () => {
  await deliver(server, webhook, { content: 'before' })
  for (const nothing of [
    {},
    { content: '' },
    { content: ' \n' },
    { content: null, embeds: [] },
    { username: 'x' },
  ])
    assert.equal(await refusalOf(nothing), '400 empty_message: the message is empty')
  const bad = [
    '{"content":',
    'null',
    '[]',
    { content: 7 },
    { content: 'x'.repeat(4001) },
    { content: 'x', username: 'y'.repeat(101) },
    { content: 'x\u0000' },
    { content: 'x', embeds: 'none' },
    { content: 'x', embeds: [{}] },
    { content: 'x', embeds: Array.from({ length: 11 }, () => ({ title: 'x' })) },
    { content: 'x', embeds: [{ title: 'x', url: 'javascript:alert(1)' }] },
    { content: 'x', flags: '4' },
    formOf(['payload_json', '{']),
    formOf(['content', 'one'], ['content', 'two']),
    new URLSearchParams({ payload_json: '7' }),
    new URLSearchParams({ content: 'a\u0000' }),
  ]
  for (const body of bad)
    assert.match(await refusalOf(body), /^400 (?:invalid_|embeds_)/, JSON.stringify(body))
  const many = { embeds: Array.from({ length: 2 }, () => ({ description: 'd'.repeat(4000) })) }
  assert.match(await refusalOf(many), /^400 embeds_too_large/)
  const { status } = await deliver(server, webhook, 'content=x', {
    headers: { 'content-type': 'text/plain' },
  })
  assert.equal(status, 400)
})

test('WEBHOOK-7: the author is the webhook, even after it is renamed or deleted', async () => {
  const own = await owner.client.webhooks.create(space.general, { name: 'Before' })
  const painted = await owner.client.webhooks.update(own.id, { avatar: await png() })
  await deliver(server, own, { content: 'under its own name' })
  const message = await newest()
  const { created_at, updated_at, ...author } = message.author
  assert.deepEqual(author, {
    id: own.id,
    username: 'Before',
    alias: null,
    avatar: painted.avatar,
    banner: null,
    custom: '',
    flags: 0,
    badges: 0,
    is_bot: true,
    email_verified: false,
    deleted_at: null,
  })
  assert.deepEqual([message.member, message.webhook_id, created_at], [null, own.id, updated_at])
  await owner.client.webhooks.update(own.id, { name: 'After', avatar: null })
  assert.deepEqual(await newest(), message)
  await owner.client.webhooks.delete(own.id)
  assert.deepEqual(await newest(), message)
  const picture = await server.fetch(`/attachments/${painted.avatar}?stream=1`)
  assert.equal(picture.status, 200)
  await picture.body?.cancel()
})

test('WEBHOOK-8: it mentions @everyone and members, unless allowed_mentions leaves them out', async () => {
  const role = await owner.client.roles.create(space.id, { name: 'readers' })
  const stranger = await createPerson(server, 'stranger')
  const content = `@everyone <@${member.id}> <@&${role.id}> <@${stranger.id}>`
  const said: [object, unknown[]][] = [
    [{}, [[member.id], [role.id], true]],
    [{ allowed_mentions: { parse: [] } }, [[], [], false]],
    [{ allowed_mentions: { parse: ['users', 'roles'] } }, [[member.id], [role.id], false]],
    [{ allowed_mentions: { parse: ['everyone'], users: [member.id] } }, [[member.id], [], true]],
  ]
  for (const [more, meant] of said) {
    await deliver(server, webhook, { content, ...more })
    const { mentions, mention_roles, mention_everyone } = await newest()
    assert.deepEqual(
      [mentions.map(({ id }) => id), mention_roles, mention_everyone],
      meant,
      JSON.stringify(more),
    )
  }
})

test('WEBHOOK-11: the message and its files are posted together, or neither', async () => {
  const payload = JSON.stringify({
    content: 'with files',
    embeds: [{ title: 'x', image: { url: 'attachment://picture.png' } }],
  })
  const form = formOf(['payload_json', payload], ['files[0]', note('first')], ['files[1]', await png()])
  assert.equal((await deliver(server, webhook, form)).status, 200)
  const { attachments, content, embeds } = await newest()
  assert.deepEqual(
    [content, ...attachments.map((file) => file.filename)],
    ['with files', 'note.txt', 'picture.png'],
  )
  assert.deepEqual([embeds[0]?.title, embeds[0]?.image], ['x', null])
  const download = await server.fetch(`${attachments[0]?.url}&stream=1`)
  assert.equal(await download.text(), 'first')
  const shown = JSON.stringify({ embeds: [{ image: { url: 'attachment://picture.png' } }] })
  const chart = formOf(['payload_json', shown], ['file', await png()])
  assert.equal((await deliver(server, webhook, chart)).status, 200)
  assert.deepEqual([(await newest()).attachments.length, (await newest()).embeds], [1, []])
  const fileAlone = await deliver(server, webhook, formOf(['file', note('alone')]))
  assert.equal(fileAlone.status, 200)
  const broken = formOf(
    ['content', 'x'],
    ['files[0]', note('good')],
    ['files[1]', await cutShort(await png({ width: 64, height: 64 }))],
  )
  assert.match(await refusalOf(broken), /^400 invalid_image/)
  const eleven = formOf(
    ...Array.from({ length: 11 }, (_, at): [string, File] => [`files[${at}]`, note('many')]),
  )
  assert.match(await refusalOf(eleven), /^400 too_many_files/)
})

test('WEBHOOK-11: a webhook deleted while its files arrive posts nothing', async () => {
  const brief = await owner.client.webhooks.create(space.general, { name: 'Brief' })
  const before = await newest()
  const path = `/api/webhooks/${brief.id}/${brief.token}`
  const form = formOf(['content', 'too late'], ['file', note('late')])
  const remove = () => owner.client.webhooks.delete(brief.id)
  assert.equal(await sendFormSlowly(server, member, { method: 'POST', path, form }, remove), 404)
  assert.deepEqual(await newest(), before)
})
