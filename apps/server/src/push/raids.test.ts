import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { hurryUntil, subscribeBrowser } from '#test/outside/push-service.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { type PushScene, startPushScene } from '#test/scenes/push-scene.ts'

let scene: PushScene
let guard: Person
let member: Person
let guests: Person[]

before(async () => {
  scene = await startPushScene()
  guard = await scene.newMember('guard')
  member = await scene.newMember('member')
  guests = []
  const { ada, space } = scene
  const role = await ada.client.roles.create(space.id, {
    name: 'Guard',
    permissions: 0,
    capabilities: Capability.KickMembers,
  })
  await ada.client.roles.assign(space.id, guard.id, role.id)
})
after(() => scene.close())

test('DOOR-23: when the door closes by itself, its moderators are told by push, but not those who see it', async () => {
  const { server, service, ada, space } = scene
  const [phone, other, own] = [
    await subscribeBrowser(service, guard, 'guard'),
    await subscribeBrowser(service, member, 'member'),
    await subscribeBrowser(service, ada, 'ada'),
  ]
  const client = await connect(server, ada)
  // As if these members had joined long ago.
  await server.deps.database.execute(sql`delete from audit_log where space_id = ${space.id}`)
  await ada.client.door.update(space.id, { sensor: true, sensor_joins: 5 })
  const { code } = await ada.client.invites.create(space.id, space.general)

  for (let count = 0; count < 5; count += 1) guests.push(await createPerson(server, `guest${count}`))
  for (const guest of guests) await guest.call('POST', `/api/invites/${code}`)
  await client.findEvent('SPACE_DOOR_UPDATE')
  await hurryUntil(server, () => phone.pushes().length === 1, 'the moderator is told')
  assert.partialDeepStrictEqual(phone.pushes()[0], {
    type: 'raid',
    kind: 'raid',
    space_id: space.id,
    space_name: 'Tea',
    url: `/spaces/${space.id}`,
  })
  assert.ok(guests.every(({ id }) => !JSON.stringify(phone.pushes()).includes(id)))
  // A mention afterwards is the only push of those who are no moderators.
  await scene.mention([member])
  await hurryUntil(server, () => other.pushes().length > 0, 'the member is mentioned')
  assert.deepEqual(
    other.pushes().map(({ type }) => type),
    ['message'],
  )
  assert.deepEqual(own.pushes(), [])
  client.close()
})

test('DOOR-23: a moderator who closes the door tells nobody by push', async () => {
  const { server, service, ada, space } = scene
  const phone = await subscribeBrowser(service, guard, 'guard2')
  await ada.client.door.update(space.id, { closed: false, sensor: false })
  await ada.client.door.update(space.id, { closed: true })
  await scene.mention([guard])
  await hurryUntil(server, () => phone.pushes().length > 0, 'the moderator is mentioned')
  assert.deepEqual(
    phone.pushes().map(({ type }) => type),
    ['message'],
  )
})
