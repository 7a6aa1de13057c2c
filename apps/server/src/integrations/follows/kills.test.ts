import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { RoomType } from '@foyer/protocol/rooms'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { type ChildServer, startChildServer } from '#test/processes/child-server.ts'
import { type Installation, makeInstallation } from '#test/processes/installation.ts'
import { listWritten, makeAnnouncementRoom } from '#test/scenes/announcements.ts'
import { persistently, persistentlyDelete } from '#test/scenes/busy.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { until } from '#test/until.ts'

/** More of them are for a machine with time. */
const KILLS = Number(process.env.FOLLOW_KILLS ?? 12)
const ROOMS = 6
const FOLLOWERS = 3
/** Kept below one page of history. */
const MESSAGES_PER_ROOM = 90

let installation: Installation
let server: RunningServer
let author: Person
let source: TestSpace
/** Announcement rooms, each with the rooms that follow it. */
let rooms: { news: string; targets: string[] }[]

before(async () => {
  installation = await makeInstallation()
  // Other processes copy, and are killed.
  server = await installation.start({ services: ['api', 'gateway'] })
  author = await createPerson(server, 'author')
  source = await makeSpace(author)
  const target = await makeSpace(author)
  rooms = []
  for (let index = 0; index < ROOMS; index += 1) {
    const news = await makeAnnouncementRoom(author, source.id)
    const targets: string[] = []
    for (let follower = 0; follower < FOLLOWERS; follower += 1) {
      const body = { name: `copies-${index}-${follower}`, type: RoomType.Text }
      const { id } = await author.client.rooms.create(target.id, body)
      await author.client.rooms.follow(news, id)
      targets.push(id)
    }
    rooms.push({ news, targets })
  }
})
after(async () => {
  await server.close()
  await installation.remove()
})

/** Creates, edits and deletes until told to stop. Ends with an edit and a deletion that nothing follows. */
async function load(news: string, signal: AbortSignal): Promise<void> {
  const { messages } = author.client
  const ids: string[] = []
  for (let turn = 0; turn < MESSAGES_PER_ROOM || !signal.aborted; turn += 1) {
    const body = { content: `${turn}`, nonce: `${news} ${turn}` }
    if (turn < MESSAGES_PER_ROOM) ids.push((await persistently(() => messages.create(news, body))).id)
    const [edited, deleted] = [
      ids[Math.floor((turn * 7) % ids.length)],
      turn % 5 === 4 ? ids.shift() : undefined,
    ]
    if (deleted !== undefined && ids.length > 20)
      await persistentlyDelete(() => messages.delete(news, deleted))
    else if (deleted !== undefined) ids.unshift(deleted)
    if (edited !== undefined && ids.includes(edited))
      await persistently(() => messages.update(news, edited, { content: `${turn} again` }))
    await delay(turn < MESSAGES_PER_ROOM ? 300 : 100)
  }
}

const startCopier = (): Promise<ChildServer> => {
  const { connection, config } = installation
  return startChildServer({ config: { ...config, services: ['jobs'] }, connection })
}

/** Without the limit of what is copied at once, which another test proves. */
const liftLimit = async () => {
  await server.deps.database.execute(sql`update followed_rooms set copied_at = '{}'`)
  await server.deps.database.execute(sql`update announcement_changes set due_at = now() where due_at > now()`)
}

test('FOLLOW-10: processes that are killed while they copy neither lose nor double anything', {
  timeout: 800_000,
}, async () => {
  const stop = new AbortController()
  const loads = rooms.map(({ news }) => load(news, stop.signal))
  let copiers = [await startCopier(), await startCopier()]
  for (let kill = 0; kill < KILLS; kill += 1) {
    await delay(300 + ((kill * 617) % 2200))
    const [victim, other] = copiers
    await victim?.kill()
    copiers = [...(other === undefined ? [] : [other]), await startCopier()]
    await liftLimit()
  }
  stop.abort()
  await Promise.all(loads)
  await until(async () => {
    await liftLimit()
    return (await server.deps.database.query(sql`select from announcement_changes limit 1`)).length === 0
  }, 'some changes were never copied')
  for (const { news, targets } of rooms) {
    const originals = (await listWritten(author, news)).map(({ id, content }) => [id, content])
    assert.ok(originals.length > 10)
    for (const target of targets) {
      const copies = await listWritten(author, target)
      assert.deepEqual(
        copies.map(({ copy_of, content }) => [copy_of?.message_id, content]),
        originals,
      )
    }
  }
  await Promise.all(copiers.map((copier) => copier.kill()))
})
