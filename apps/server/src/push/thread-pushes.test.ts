import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FollowLevel } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import {
  type Browser,
  hurryToEnd,
  hurryUntil,
  type PushService,
  startPushService,
  subscribeBrowser,
} from '#test/outside/push-service.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startThread } from '#test/scenes/thread-rooms.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let service: PushService
let ada: Person
let eve: Person
let kim: Person
let space: TestSpace
let [phone, tablet]: Browser[] = []

before(async () => {
  service = await startPushService()
  server = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'] })
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  kim = await createPerson(server, 'kim')
  space = await makeSpace(ada, [eve, kim])
  phone = await subscribeBrowser(service, eve, 'eve')
  tablet = await subscribeBrowser(service, kim, 'kim')
})
after(async () => {
  await server.close()
  await service.close()
})

/** Returns the texts of pushes to Eve during the work. A message to Kim, sent afterwards, is pushed last. */
async function pushedToEve(work: () => Promise<unknown>): Promise<(string | undefined)[]> {
  const seen = phone?.pushes().length ?? 0
  await work()
  const { id } = await ada.client.messages.create(space.general, { content: `<@${kim.id}>` })
  await hurryUntil(
    server,
    () => tablet?.pushes().some(({ message_id }) => message_id === id) ?? false,
    'the last push',
  )
  await hurryToEnd(server)
  return (phone?.pushes() ?? []).slice(seen).map(({ text, thread_title }) => `${thread_title}: ${text}`)
}

/** Has Ada write in a new thread that Eve follows at this level; null for not at all. */
async function writes(content: string, level: FollowLevel | null): Promise<void> {
  const thread = await startThread(ada, space.general, { title: 'Kettle' })
  if (level !== null) await eve.client.api(ThreadRooms).follow(thread.id, level)
  await ada.client.messages.create(thread.id, { content })
}

test('TROOM-10: only followers are notified of a thread, as they chose', async () => {
  const named = `named, <@${eve.id}>`
  for (const [content, level, told] of [
    ['plain', null, []],
    ['@everyone', null, []],
    ['plain', 'all', ['Kettle: plain']],
    ['plain', 'mentions', []],
    [named, 'mentions', ['Kettle: named, @eve']],
    [named, 'muted', []],
    [named, null, ['Kettle: named, @eve']],
  ] as const)
    assert.deepEqual(await pushedToEve(() => writes(content, level)), told, `${content} ${level}`)
  const muted_until = new Date(Date.now() + 3_600_000).toISOString()
  await eve.client.notifications.updateSetting('room', space.general, { muted_until })
  assert.deepEqual(await pushedToEve(() => writes(named, 'all')), [])
})

test('TROOM-17: a message that was just sent notifies no followers of the thread into which it is moved', async () => {
  const room = (await ada.client.rooms.create(space.id, { name: 'room', type: 1 })).id
  const thread = await startThread(ada, room, { title: 'Kettle' })
  const threads = ada.client.api(ThreadRooms)
  await eve.client.api(ThreadRooms).follow(thread.id, 'all')
  const { id } = await ada.client.messages.create(room, { content: 'plain' })
  await hurryToEnd(server)
  assert.deepEqual(await pushedToEve(() => threads.move(thread.id, [id])), [])
})
