import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { type Installation, makeInstallation } from '#test/processes/installation.ts'
import { listWritten } from '#test/scenes/announcements.ts'
import { createPerson } from '#test/scenes/people.ts'
import { makeDue, pageOf, reachable, startSource, untilSubscribed } from '#test/scenes/remote-follows.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { openAnnouncementRoom } from '#test/scenes/web-feeds.ts'
import type { TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

/** More than a page of the feed has. */
const MISSED = 60

let source: TestServer
let installation: Installation

before(async () => {
  ;[source, installation] = await Promise.all([startSource(), makeInstallation()])
})
after(async () => {
  await source.close()
  await installation.remove()
})

test('FOLLOW-44: a server that was away for a week copies what it missed in order, and subscribes again', async () => {
  const settings = await reachable()
  const author = await createPerson(source, 'author')
  const origin = await makeSpace(author)
  const news = await openAnnouncementRoom(author, origin.id)
  const write = (content: string) => author.client.messages.create(news, { content })
  const first = await installation.start(settings)
  const reader = await createPerson(first, 'reader')
  const { general } = await makeSpace(reader)
  const webhook = await reader.client.rooms.followRemote(general, pageOf(source, origin.id, news))
  await untilSubscribed(first, webhook)
  const [edited, deleted] = [await write('to be edited'), await write('to be deleted')]
  const texts = async (room: string, person: typeof reader) =>
    (await listWritten(person, room)).map(({ content }) => content)
  await until(async () => (await texts(general, reader)).length === 2, 'the first two were never copied')
  await first.close()

  await author.client.messages.update(news, edited.id, { content: 'edited' })
  await author.client.messages.delete(news, deleted.id)
  for (let number = 0; number < MISSED; number += 1) await write(`${number}`)
  await source.deps.database.execute(sql`delete from feed_subscriptions`)

  const second = await installation.start(settings)
  try {
    await second.deps.database.execute(sql`
      update remote_follows set lease_until = now() - interval '1 day', subscribe_at = now() - interval '4 days'`)
    const expected = await texts(news, author)
    assert.equal(expected.length, MISSED + 1)
    let copied: string[] = []
    const isComplete = async () => {
      // The ten minutes pass in which 30 messages are copied.
      await second.deps.database.execute(sql`update remote_follows set copied_at = '{}'`)
      await makeDue(second)
      copied = await texts(general, reader)
      return copied.length === expected.length
    }
    await until(isComplete, 'not all were copied')
    assert.deepEqual(copied, expected)
    await untilSubscribed(second, webhook)
  } finally {
    await second.close()
  }
})
