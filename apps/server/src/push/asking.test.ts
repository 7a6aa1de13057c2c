import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import {
  hurryToEnd,
  hurryUntil,
  makeBrowser,
  type PushService,
  subscribeBrowser,
} from '#test/outside/push-service.ts'
import { enterCall } from '#test/scenes/calls.ts'
import { makeDirect, makeGroup } from '#test/scenes/conversations.ts'
import type { Person } from '#test/scenes/people.ts'
import { type PushScene, startPushScene } from '#test/scenes/push-scene.ts'
import type { TestSpace } from '#test/scenes/spaces.ts'
import type { TestServer } from '#test/server.ts'

const CROWD = 1100

let scene: PushScene
let server: TestServer
let service: PushService
let ada: Person
let eve: Person
let kim: Person
let space: TestSpace

before(async () => {
  scene = await startPushScene()
  ;({ server, service, ada, space } = scene)
  eve = await scene.newMember('eve')
  kim = await scene.newMember('kim')
})
after(() => scene.close())

test('PUSH-17: an event for nobody who has subscribed queues no job', async () => {
  await server.deps.database.execute(sql`create table asked_jobs (task_id integer)`)
  await server.deps.database.execute(sql`
    create function note_job() returns trigger language plpgsql as $$
      begin insert into asked_jobs values (new.task_id); return new; end $$`)
  await server.deps.database.execute(sql`
    create trigger note_job after insert on graphile_worker._private_jobs for each row execute function note_job()`)
  const countOf = async () => {
    const [row] = await server.deps.database.query<{ count: number }>(sql`
      select count(*) from asked_jobs join graphile_worker._private_tasks as task on task.id = task_id
      where identifier = 'find_push_recipients'`)
    return row?.count ?? 0
  }
  const { id: conversation } = await makeDirect(server, ada, eve)
  await ada.client.messages.create(space.general, { content: `<@${eve.id}> @everyone` })
  await ada.client.messages.create({ conversation }, { content: 'hi' })
  const phone = await subscribeBrowser(service, kim, 'kim')
  await ada.client.messages.create(space.general, { content: 'plain' })
  await ada.client.messages.create(space.general, { content: `<@${eve.id}>` })
  await kim.client.messages.create(space.general, { content: `<@${kim.id}>` })
  await ada.client.messages.create({ conversation }, { content: 'hi again' })
  await ada.client.messages.create(space.general, { content: `<@${kim.id}>` })
  await hurryUntil(server, () => phone.pushes().length === 1, 'who is concerned is told')
  assert.equal(await countOf(), 1)
  await eve.client.notifications.updateSetting('space', space.id, { level: 'all' })
  await ada.client.messages.create(space.general, { content: 'plain' })
  await kim.client.notifications.updateSetting('space', space.id, { level: 'all' })
  await ada.client.messages.create(space.general, { content: 'for all' })
  await hurryUntil(server, () => phone.pushes().length === 2, 'who chose all is told')
  assert.equal(await countOf(), 2)
  await kim.client.notifications.deleteSetting('space', space.id)
})

test('PUSH-17: everyone in a large space is notified, in pages', async () => {
  const { endpoint, keys } = makeBrowser(service, 'crowd')
  await server.deps.database.execute(sql`
    with crowd as (
      insert into users (id, username) select gen_random_uuid(), 'crowd_' || place
      from generate_series(1, ${CROWD}) as place returning id
    ), member as (
      insert into members (space_id, user_id) select ${space.id}, id from crowd
    ), session as (
      insert into sessions (id, user_id, expires_at) select id, id, now() + interval '1 day' from crowd
    )
    insert into push_subscriptions (id, user_id, session_id, endpoint_hash, endpoint, public_key, auth_secret)
    select id, id, id, sha256(id::text::bytea), ${endpoint}, ${Buffer.from(keys.p256dh, 'base64url')},
      ${Buffer.from(keys.auth, 'base64url')} from crowd`)
  await ada.client.messages.create(space.general, { content: '@everyone' })
  const arrived = () => scene.arrivals('crowd')
  await hurryUntil(server, () => arrived() >= CROWD, 'all are told')
  await hurryToEnd(server)
  assert.equal(arrived(), CROWD)
})

test('PUSH-16: a call is pushed at once to the users for whom it rings', async () => {
  const { id: group } = await makeGroup(server, ada, [eve, kim])
  const [phone, tablet] = [
    await subscribeBrowser(service, eve, 'eve'),
    await subscribeBrowser(service, kim, 'kim-too'),
  ]
  await enterCall(server, ada, group)
  await hurryUntil(server, () => phone.pushes().length + tablet.pushes().length === 2, 'it rings')
  const [push] = phone.pushes()
  const { type, kind, title, body, url, author_id, text } = push ?? {}
  assert.deepEqual([type, kind, title, body, text], ['call', 'call', 'ada (Tea)', 'is calling you', ''])
  assert.deepEqual([url, author_id, push?.message_id], [`/conversations/${group}`, ada.id, undefined])
  assert.ok(phone.headers().every(({ ttl }) => ttl === '60'))
})
