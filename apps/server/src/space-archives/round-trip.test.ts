import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { Automod } from '@foyer/sdk/api/automod'
import { sql } from '#src/kernel/sql/sql.ts'
import { emailOf } from '#test/scenes/accounts.ts'
import { type Owner, signUpOwner, type Unpacked } from '#test/scenes/exports.ts'
import { note } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import { exportSpace, importSpace, messagesIn, unpackSpace } from '#test/scenes/space-archives.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import type { ArchivedMessage } from './format.ts'

let server: TestServer
let owner: Owner
let member: Person
let space: TestSpace
let count = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  owner = await signUpOwner(server, `owner${count}`)
  member = await createPerson(server, `member${count}`)
  space = await makeSpace(owner, [member])
})

interface Made {
  roleId: string
  emojiId: string
  stickerId: string
}

/** Fills the space with something of every kind that an archive has. */
async function furnish(): Promise<Made> {
  const { client } = owner
  const { id, general, lounge } = space
  await client.buckets.createIncluded(id)
  const role = await client.roles.create(id, {
    name: 'Guides',
    permissions: 2,
    color_from: 255,
    hoisted: true,
  })
  const flags = { allow_flags: 2, deny_flags: 1, deny_capabilities: 512 }
  await client.overwrites.upsert(id, general, { target_id: role.id, target_type: 0, ...flags })
  await client.overwrites.upsert(id, general, { target_id: member.id, target_type: 1, ...flags })
  await client.rooms.update(id, general, { description: 'Come in', slow_mode_seconds: 5, retention_days: 90 })
  await client.spaces.update(id, { icon: await png(), description: 'All of it', system_room_id: general })
  await client.api(Automod).createRule(id, {
    name: 'No kettles',
    trigger: { type: 'words', words: ['kettle*'] },
    alert_room_id: general,
    exempt_role_ids: [role.id],
    exempt_room_ids: [lounge],
  })
  const emoji = await client.emojis.create(id, { name: 'tea', image: await png() })
  const sticker = await client.stickers.create(id, { name: 'cup', image: await png() })
  return { roleId: role.id, emojiId: emoji.id, stickerId: sticker.id }
}

async function talk({ roleId, emojiId, stickerId }: Made): Promise<void> {
  const { general, lounge } = space
  const { messages } = owner.client
  const first = await messages.createWithFiles(general, { content: `hello <@${member.id}>` }, [
    note('leaves'),
  ])
  const mention = `<@&${roleId}> in <#${lounge}> has <:tea:${emojiId}>`
  const second = await messages.create(general, {
    content: mention,
    reference: { message_id: first.id },
    sticker_ids: [stickerId],
  })
  await messages.create(general, { content: 'and on', reference: { message_id: second.id } })
  await messages.create(lounge, {
    content: '',
    reference: { type: 1, message_id: first.id, room_id: general },
  })
  await messages.update(general, second.id, { content: `${mention}!` })
  for (const emoji of ['👍', emojiId])
    await owner.client.reactions.add({ channel: general, id: first.id }, emoji)
  await owner.client.pins.add(general, first.id)
  const hook = await owner.client.webhooks.create(general, { name: 'Weather' })
  await server.fetch(`/api/webhooks/${hook.id}/${hook.token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      content: 'rain',
      embeds: [{ title: 'Tomorrow', fields: [{ name: 'a', value: 'b' }] }],
    }),
  })
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Replaces each id by its place in the order in which they come. */
function withoutIds(text: string): string {
  const seen = new Map<string, number>()
  return text.replace(UUID, (id) => {
    const place = seen.get(id) ?? seen.size
    seen.set(id, place)
    return `#${place}`
  })
}

async function comparable(archive: Buffer): Promise<string> {
  const { files, space: archived } = await unpackSpace(archive)
  const rooms = archived.rooms.map(({ id }) => messagesIn(files, id))
  const bytes = rooms.flat().flatMap(({ attachments = [] }) => attachments.map(({ id }) => hashOf(files, id)))
  const names = [...files.keys()].filter((name) => !name.startsWith('files/')).toSorted()
  return withoutIds(JSON.stringify([archived, rooms, bytes, names.length], null, 1))
}

function hashOf(files: Unpacked, id: string): string {
  const found = files.get(`files/${id}`)
  assert.ok(found !== undefined, id)
  return createHash('sha256').update(found).digest('hex')
}

test('SPACE-IMPORT-1: a space that is exported, imported and exported again is the same', async () => {
  await talk(await furnish())
  const archive = await exportSpace(server, owner, space.id)
  const imported = await importSpace(member, archive)
  assert.equal(imported.failure, null)
  const id = imported.space_id ?? ''
  await server.deps.database.execute(sql`
    update spaces set owner_id = ${owner.id} where id = ${id}`)
  await server.deps.database.execute(sql`
    insert into members (space_id, user_id) values (${id}, ${owner.id})`)
  const again = await exportSpace(server, owner, id)
  assert.equal(await comparable(again), await comparable(archive))
})

test('SPACE-IMPORT-1: the importer owns the new space, and nobody else is in it', async () => {
  await talk(await furnish())
  const { space_id, result } = await importSpace(member, await exportSpace(server, owner, space.id))
  const id = space_id ?? ''
  const state = await member.client.spaces.get(id)
  assert.deepEqual([state.owner_id, state.name, state.description], [member.id, 'Tea', 'All of it'])
  assert.notEqual(id, space.id)
  await assert.rejects(owner.client.spaces.get(id), { code: 'not_a_member' })
  const { left_out, ...counts } = result ?? { left_out: {} }
  const expected = { rooms: 4, roles: 2, messages: 5, files: 2, emojis: 1, stickers: 1 }
  assert.deepEqual(counts, expected)
  assert.deepEqual(left_out, { files: 0, pins: 0, images: 0, member_overwrites: 1, notices: 1 })
})

test('SPACE-IMPORT-2: imported messages keep their times, and no account is their author', async () => {
  await talk(await furnish())
  const before = await owner.client.messages.list(space.general)
  const { space_id } = await importSpace(member, await exportSpace(server, owner, space.id))
  const rooms = await member.client.rooms.list(space_id ?? '')
  const general = rooms.find(({ name }) => name === 'general')?.id ?? ''
  const written = before.filter(({ type }) => type === 0)
  const after = await member.client.messages.list(general)
  assert.deepEqual(
    after.map(({ created_at }) => created_at),
    written.map(({ created_at }) => created_at),
  )
  for (const message of after) {
    assert.notEqual(message.author.id, owner.id)
    assert.ok(message.author.is_bot && message.webhook_id !== null)
    await assert.rejects(member.client.users.get(message.author.id), { status: 404 })
  }
  assert.equal(after.at(-1)?.author.username, `owner${count}`)
  const replies = after.filter(({ reference }) => reference !== null)
  assert.equal(replies[1]?.referenced_message?.content, `hello @member${count}`)
  assert.deepEqual(
    after.at(-1)?.reactions.map((each) => each.count),
    [1, 1],
  )
  assert.equal(after.at(-1)?.replies?.count, 2)
  const url = after.at(-1)?.attachments[0]?.url ?? ''
  assert.equal(await (await server.fetch(url)).text(), 'leaves')
  assert.deepEqual(
    (await member.client.pins.list(general)).map(({ id }) => id),
    [after.at(-1)?.id],
  )
})

test('SPACE-IMPORT-2: imported messages are found by search, and count as read', async () => {
  await talk(await furnish())
  const { space_id } = await importSpace(member, await exportSpace(server, owner, space.id))
  const id = space_id ?? ''
  await server.deps.searchIndexer.caughtUp()
  const found = await member.client.search.space(id, { query: 'rain' })
  assert.equal(found.messages.length, 1)
})

test('SPACE-EXPORT-2: the manifest has the size, the checksum and the number of everything', async () => {
  await talk(await furnish())
  const { files } = await unpackSpace(await exportSpace(server, owner, space.id))
  const manifest = JSON.parse(`${files.get('manifest.json')}`)
  const names = [...files.keys()].filter((name) => name !== 'manifest.json')
  assert.deepEqual(manifest.entries.map((entry: { name: string }) => entry.name).toSorted(), names.toSorted())
  for (const { name, size_bytes, sha256 } of manifest.entries) {
    const bytes = files.get(name) ?? Buffer.alloc(0)
    assert.deepEqual(
      [bytes.length, createHash('sha256').update(bytes).digest('hex')],
      [size_bytes, sha256],
      name,
    )
  }
  assert.deepEqual(manifest.counts, {
    rooms: 4,
    roles: 2,
    automod_rules: 1,
    emojis: 1,
    stickers: 1,
    messages: 5,
    files: 2,
  })
})

test('SPACE-EXPORT-3: an archive has no addresses, tokens, codes, reports and nothing of other spaces', async () => {
  const made = await furnish()
  await talk(made)
  const hook = await owner.client.webhooks.create(space.general, { name: 'Hook' })
  const { code } = await owner.client.invites.create(space.id, space.general)
  await owner.client.bans.create(space.id, (await createPerson(server, `banned${count}`)).id, {
    reason: 'spite',
  })
  const { files } = await unpackSpace(await exportSpace(server, owner, space.id))
  const text = [...files.values()].join('\n')
  for (const secret of [hook.token, code, 'spite', emailOf(`owner${count}`), '@example.org', 'banned'])
    assert.equal(text.includes(`${secret}`), false, `${secret}`)
})

test('SPACE-EXPORT-4: an archive shows the space as it was at one moment', async () => {
  await talk(await furnish())
  const snapshot = await server.deps.snapshotReads.open()
  const seen = () =>
    snapshot.query<{ count: number }>(sql`select count(*) from messages where tenant_id = ${space.id}`)
  const before = await seen()
  await owner.client.messages.create(space.general, { content: 'late' })
  assert.deepEqual(await seen(), before)
  await snapshot[Symbol.asyncDispose]()
})

test('SPACE-EXPORT-2: many messages are in files of a thousand lines, oldest first', async () => {
  const { database } = server.deps
  await database.execute(sql`
    insert into messages (tenant_id, channel_id, id, seq, author_id, content, created_at)
    select ${space.id}, ${space.general}, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, n, ${owner.id},
      'line ' || n, '2024-05-01 10:00'
    from generate_series(1, 2500) n`)
  await database.execute(sql`
    update message_heads set last_seq = 2600 where channel_id = ${space.general}`)
  const { files } = await unpackSpace(await exportSpace(server, owner, space.id))
  const names = [...files.keys()].filter((name) => name.startsWith(`messages/${space.general}/`))
  assert.deepEqual(
    names.map((name) => name.slice(-13)),
    ['000001.ndjson', '000002.ndjson', '000003.ndjson'],
  )
  const lines = `${files.get(names[2] ?? '')}`.trim().split('\n')
  const last: ArchivedMessage = JSON.parse(lines.at(-1) ?? '')
  assert.deepEqual([lines.length, last.content], [500, 'line 2500'])
})
