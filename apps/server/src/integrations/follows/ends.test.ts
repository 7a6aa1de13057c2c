import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { Administration } from '@foyer/sdk/api/administration'
import { holdCopying, listWritten, makeAnnouncementRoom, untilTexts } from '#test/scenes/announcements.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

let server: TestServer
let operator: Person
let author: Person
let reader: Person
/** Follows as well, and may always view the room. */
let other: Person
let source: TestSpace
let target: TestSpace
let beside: TestSpace
let news: string

before(async () => {
  server = await startOwnServer()
  operator = await createOperator(server, 'operator')
  author = await createPerson(server, 'author')
  reader = await createPerson(server, 'reader')
  other = await createPerson(server, 'other')
})
after(() => server.close())
beforeEach(async () => {
  source = await makeSpace(author, [reader, other])
  target = await makeSpace(reader)
  beside = await makeSpace(other)
  news = await makeAnnouncementRoom(author, source.id)
  await other.client.rooms.follow(news, beside.general)
})

const write = (content: string) => author.client.messages.create(news, { content })
const countFollowers = async () => (await author.client.rooms.followers(news)).count

const losses: Record<string, () => Promise<unknown>> = {
  ban: () => author.client.bans.create(source.id, reader.id, {}),
  kick: () => author.client.members.kick(source.id, reader.id),
  leaving: () => reader.client.members.leave(source.id),
  rights: () =>
    author.client.overwrites.upsert(source.id, news, {
      target_id: reader.id,
      target_type: 1,
      allow_flags: 0,
      deny_flags: Permission.ViewChannels,
    }),
}

for (const [loss, lose] of Object.entries(losses))
  test(`FOLLOW-12: a follow ends once its maker may no longer view the room, by ${loss}`, async () => {
    const webhook = await reader.client.rooms.follow(news, target.general)
    await write('before')
    await untilTexts(reader, target.general, ['before'])
    await using held = await holdCopying(server, news)
    await lose()
    await write('after')
    assert.equal((await reader.client.webhooks.get(webhook.id)).source, null)
    await held.release()
    await untilTexts(other, beside.general, ['before', 'after'])
    await until(async () => (await countFollowers()) === 1, 'the follow goes on')
    await untilTexts(reader, target.general, ['before'])
  })

test('FOLLOW-12: a follow ends without an announcement, and does not begin again when its maker comes back', async () => {
  await reader.client.rooms.follow(news, target.general)
  await author.client.members.kick(source.id, reader.id)
  await until(async () => (await countFollowers()) === 1, 'the follow goes on')
  await join(reader, author, source)
  await write('after')
  await untilTexts(other, beside.general, ['after'])
  assert.deepEqual(await listWritten(reader, target.general), [])
})

test('FOLLOW-8: edits and deletions of announcements reach copies in a frozen space', async () => {
  await reader.client.rooms.follow(news, target.general)
  const [kept, gone] = [await write('kept'), await write('gone')]
  await untilTexts(reader, target.general, ['kept', 'gone'])
  await operator.client.api(Administration).freezeSpace(target.id)
  await author.client.messages.delete(news, gone.id)
  await author.client.messages.update(news, kept.id, { content: 'edited' })
  await write('missed')
  await untilTexts(reader, target.general, ['edited'])
})
