import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MAX_IMAGE_BYTES } from '@foyer/protocol/limits'
import sharp from 'sharp'
import { newId } from '#src/kernel/ids.ts'
import { type Topic, topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { animated, fileOf, formOf, jpegWithExif, png } from '#test/scenes/pictures.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { listHoldings } from '#test/storages.ts'

const NOTHING = { ids: [], usedBytes: 0 }

let server: TestServer
let count = 0
let person: Person

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

beforeEach(async () => {
  count += 1
  person = await createPerson(server, `person${count}`)
})

const update = (form: FormData) => person.call('PATCH', '/api/users/@me', form)
const held = async () => (await listHoldings(server, person.id)).ids

async function download(id: string | null) {
  const response = await server.fetch(`/attachments/${id}?stream=1`)
  assert.equal(response.status, 200)
  return sharp(Buffer.from(await response.arrayBuffer()), { animated: true }).metadata()
}

test('IMG-1: a form changes the profile with its pictures, which everyone can see', async () => {
  const form = formOf(['alias', ' Ada '], ['avatar', await png()], ['banner', await animated('gif')])
  const { status, body } = await update(form)
  const me = await person.client.users.me()
  assert.deepEqual([status, body], [200, me])
  assert.equal(me.alias, 'Ada')
  assert.equal((await download(me.avatar)).format, 'png')
  assert.equal((await download(me.banner)).pages, 2)
  assert.deepEqual(await held(), [me.avatar, me.banner].toSorted())
})

test('IMG-1: an empty text clears what null clears', async () => {
  const full = { alias: 'Ada', custom: 'tea', birthdate: '1990-02-03', phone: '+491234567' }
  await person.client.users.updateMe(full)
  await update(formOf(['alias', ''], ['custom', ''], ['birthdate', ''], ['phone', '']))
  const { alias, custom, birthdate, phone } = await person.client.users.me()
  assert.deepEqual([alias, custom, birthdate, phone], [null, '', null, null])
})

test('IMG-1: pictures are removed by a form, and by JSON with null and the empty text', async () => {
  const fill = async () => {
    const image = await png()
    return person.client.users.updateMe({ avatar: image, banner: image })
  }
  const { banner } = await fill()
  await update(formOf(['remove_avatar', 'true'], ['remove_banner', 'no']))
  const half = await person.client.users.me()
  assert.deepEqual([half.avatar, half.banner], [null, banner])
  await fill()
  const none = await person.client.users.updateMe({ avatar: null, banner: '' })
  assert.deepEqual([none.avatar, none.banner], [null, null])
  assert.deepEqual(await listHoldings(server, person.id), NOTHING)
})

test('IMG-1: JSON keeps a picture by its id, and cannot set one', async () => {
  const { avatar } = await person.client.users.updateMe({ avatar: await png() })
  assert.equal((await person.client.users.updateMe({ avatar, alias: 'Kept' })).avatar, avatar)
  for (const body of [{ avatar: newId() }, { banner: avatar }, { avatar: ' ' }]) {
    const answer = await person.call('PATCH', '/api/users/@me', { ...body, alias: 'Half' })
    assert.deepEqual([answer.status, answer.code], [400, 'image_needs_multipart'])
  }
  assert.equal((await person.client.users.me()).alias, 'Kept')
})

test('IMG-4: an avatar fits 1024×1024, a banner 2048×2048, and neither has metadata', async () => {
  const photo = await jpegWithExif({ width: 3000, height: 3000 })
  const { avatar, banner } = await person.client.users.updateMe({ avatar: photo, banner: photo })
  const [small, large] = [await download(avatar), await download(banner)]
  assert.deepEqual([small.width, small.height, small.exif], [1024, 1024, undefined])
  assert.deepEqual([large.width, large.height, large.exif], [2048, 2048, undefined])
})

test('IMG-5: pictures are in the server’s own storage, including those of a bot', async () => {
  const bot = await createBot(server, `bot${count}`)
  const { avatar } = await bot.client.users.updateMe({ avatar: await png() })
  assert.deepEqual((await listHoldings(server, bot.id)).ids, [avatar])
  assert.equal((await bot.client.users.me()).avatar, avatar)
  const [bucket] = await server.deps.database.query<{ kind: string; id: string }>(
    sql`select kind, id from storage_buckets where tenant_id = ${bot.id}`,
  )
  assert.deepEqual(bucket, { kind: 'own', id: bot.id })
})

for (const [what, status, code, fields] of [
  ['the birthdate is invalid', 400, 'invalid_request', [['birthdate', '2001-02-29']]],
  ['the birthdate is in the future', 400, 'invalid_birthdate', [['birthdate', '9999-01-01']]],
  ['the username is taken', 400, 'username_taken', [['username', 'taken']]],
  ['the alias is blank', 400, 'invalid_request', [['alias', ' ']]],
  ['the banner is not a picture', 400, 'invalid_image', [['banner', fileOf('<svg/>', 'b.png', 'image/png')]]],
  ['the banner is too large', 413, 'image_too_large', [['banner', bytes(MAX_IMAGE_BYTES + 1)]]],
  ['there are two avatars', 400, 'invalid_request', [['avatar', fileOf('x', 'b.png', 'image/png')]]],
] as const) {
  test(`IMG-6: no new picture is kept and nothing published when ${what}`, async () => {
    if (code === 'username_taken') await createPerson(server, 'taken')
    const before = await person.client.users.updateMe({ avatar: await png() })
    const heard = await listJournal(server, topicOf.user(person.id))
    const form = formOf(['avatar', await png()], ...fields.map(([name, value]) => both(name, value)))
    const answer = await update(form)
    assert.deepEqual([answer.status, answer.code], [status, code])
    assert.deepEqual(await person.client.users.me(), before)
    assert.deepEqual(await held(), [before.avatar])
    assert.deepEqual(await listJournal(server, topicOf.user(person.id)), heard)
  })
}

function both(name: string, value: string | File): [string, string | File] {
  return [name, value]
}

function bytes(length: number): File {
  return fileOf(Buffer.alloc(length), 'large.png', 'image/png')
}

test('IMG-7: the last of several simultaneous updates stays, and no other', async () => {
  const avatar = await png()
  const lock = await holdLock(server, sql`select from users where id = ${person.id} for no key update`)
  const updates = [1, 2, 3].map(() => person.client.users.updateMe({ avatar }))
  await lock.waitForBlocked(3)
  await lock.release()
  await Promise.all(updates)
  assert.deepEqual(await held(), [(await person.client.users.me()).avatar])
})

test('IMG-9: the user, their friends and spaces receive USER_UPDATE with the picture', async () => {
  const space = await makeSpace(person)
  const updated = await person.client.users.updateMe({ avatar: await png() })
  const { birthdate: _, phone: __, custom_until: ___, web_presence: ____, ...publicUser } = updated
  const heard = async (topic: Topic) =>
    (await listJournal(server, topic)).filter(({ name }) => name === 'USER_UPDATE').map(({ data }) => data)
  assert.deepEqual(await heard(topicOf.user(person.id)), [updated])
  assert.deepEqual(await heard(topicOf.space(space.id)), [publicUser])
})

test('IMG-6: no files are left except those that are shown', () => checkFilesAtRest(server))
