import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { Retention, type RetentionProgress } from '#src/erasure/retention.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { makeOlder } from '#test/scenes/aged-messages.ts'
import { listWritten, makeFollowScene, untilTexts } from '#test/scenes/announcements.ts'
import { note } from '#test/scenes/messages.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { addStorage, listHoldings } from '#test/storages.ts'

let server: TestServer
let operator: Person
let author: Person
let reader: Person
let source: TestSpace
let target: TestSpace
let news: string

before(async () => {
  server = await startOwnServer()
  operator = await createOperator(server, 'operator')
  author = await createPerson(server, 'author')
  reader = await createPerson(server, 'reader')
})
after(() => server.close())
beforeEach(async () => {
  ;({ source, target, news } = await makeFollowScene(author, reader))
})

const writeFiles = (content: string, files: readonly File[]) =>
  author.client.messages.createWithFiles(news, { content }, files)

test('FOLLOW-11: files are copied into the space that follows, and go with the announcement', async () => {
  await reader.client.rooms.follow(news, target.general)
  const sent = await writeFiles('look', [note('hello'), await png()])
  await untilTexts(reader, target.general, ['look'])
  const [copy] = await listWritten(reader, target.general)
  const shown = (files: typeof sent.attachments) =>
    files.map(({ filename, size_bytes }) => [filename, size_bytes])
  assert.deepEqual(shown(copy?.attachments ?? []), shown(sent.attachments))
  const held = await listHoldings(server, target.id)
  assert.deepEqual(held.ids.toSorted(), copy?.attachments.map(({ id }) => id).toSorted())
  const [file] = copy?.attachments ?? []
  assert.equal(await (await fetch(new URL(file?.url ?? '', server.url))).text(), 'hello')
  await author.client.messages.delete(news, sent.id)
  await untilTexts(reader, target.general, [])
  assert.deepEqual((await listHoldings(server, target.id)).ids, [])
})

test('FOLLOW-11: a file that does not fit is named below the text, also after an edit', async () => {
  await addStorage(server, target.id, { uploadLimitBytes: 10 })
  await reader.client.rooms.follow(news, target.general)
  const sent = await writeFiles('look', [note('hello'), note('much too long', 'long.txt')])
  await untilTexts(reader, target.general, ['look\n📎 long.txt'])
  const [copy] = await listWritten(reader, target.general)
  assert.deepEqual(
    copy?.attachments.map(({ filename }) => filename),
    ['note.txt'],
  )
  await writeFiles('', [note('much too long', 'long.txt')])
  await untilTexts(reader, target.general, ['look\n📎 long.txt', '📎 long.txt'])
  await author.client.messages.update(news, sent.id, { content: 'see' })
  await untilTexts(reader, target.general, ['see\n📎 long.txt', '📎 long.txt'])
})

test('FOLLOW-8: a frozen space gets no copies, and those that it missed are not made up for', async () => {
  const other = await makeSpace(reader)
  await reader.client.rooms.follow(news, target.general)
  await reader.client.rooms.follow(news, other.general)
  await operator.client.api(Administration).freezeSpace(target.id)
  await author.client.messages.create(news, { content: 'missed' })
  await untilTexts(reader, other.general, ['missed'])
  await operator.client.api(Administration).unfreezeSpace(target.id)
  await author.client.messages.create(news, { content: 'next' })
  await untilTexts(reader, other.general, ['missed', 'next'])
  await untilTexts(reader, target.general, ['next'])
})

test('FOLLOW-5: what retention deletes, and what a ban deletes, is deleted in the copies', async () => {
  await reader.client.rooms.follow(news, target.general)
  const old = await author.client.messages.create(news, { content: 'old' })
  const guest = await createPerson(server, `guest${Date.now()}`)
  const { code } = await author.client.invites.create(source.id, source.general)
  await guest.client.invites.join(code)
  await guest.client.messages.create(news, { content: 'rude' })
  await untilTexts(reader, target.general, ['old', 'rude'])
  await author.client.bans.create(source.id, guest.id, { delete_seconds: 3600 })
  await untilTexts(reader, target.general, ['old'])
  await author.client.rooms.update(source.id, news, { retention_days: 1 })
  const older = await makeOlder(server, { id: source.id, general: news }, old.id, 2)
  await server.deps.database.execute(sql`
    update message_copies set source_message_id = ${older} where source_message_id = ${old.id}`)
  let progress: RetentionProgress | undefined
  do progress = await new Retention(server.deps, progress).run()
  while (progress !== undefined)
  await untilTexts(reader, target.general, [])
})
