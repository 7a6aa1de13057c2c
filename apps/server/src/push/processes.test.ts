import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import { connect } from '#test/gateway-client.ts'
import {
  type Browser,
  countJobs,
  hurryToEnd,
  hurryUntil,
  type PushService,
  startPushService,
  subscribeBrowser,
} from '#test/outside/push-service.ts'
import { type Processes, startProcesses } from '#test/processes/processes.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { until } from '#test/until.ts'
import { withoutValkey } from '#test/valkey/valkey.ts'

let processes: Processes
let service: PushService
let ada: Person
let eve: Person
let space: TestSpace
let phone: Browser

before(async () => {
  if (withoutValkey !== false) return
  service = await startPushService()
  const changes = { allowedPrivateHosts: ['127.0.0.1'] }
  processes = await startProcesses([changes, changes])
  const [one, other] = processes.servers
  ada = await createPerson(one, 'ada')
  eve = await createPerson(one, 'eve')
  space = await makeSpace(ada, [eve])
  // Each process has cached that nobody has subscribed.
  for (const at of [one, other]) await ada.at(at).client.messages.create(space.general, { content: 'hi' })
  phone = await subscribeBrowser(service, eve.at(other), 'eve')
})
after(async () => {
  await processes?.close()
  await service?.close()
})

test('PUSH-15: a push is sent once, whichever processes have the message, the subscription and the device', {
  skip: withoutValkey,
}, async () => {
  const [one, other] = processes.servers
  const say = (at: { url: string }) =>
    ada.at(at).client.messages.create(space.general, { content: `<@${eve.id}>` })
  assert.equal(one.deps.vapid.publicKey, other.deps.vapid.publicKey)
  for (const at of [one, other]) await say(at)
  await hurryUntil(one, () => phone.pushes().length >= 2, 'both are pushed')
  await hurryToEnd(one)
  assert.equal(phone.pushes().length, 2)
  const desk = await connect(other, eve)
  desk.send(Opcode.PresenceUpdate, { status: 'online' })
  await desk.settle()
  await say(one)
  await until(async () => (await countJobs(one)) > 0, 'it is asked for')
  await hurryToEnd(one)
  assert.equal(phone.pushes().length, 2)
  desk.close()
  await until(async () => !(await one.deps.presences.isConnected(eve.id)), 'all know that the desk is gone')
})

test('PUSH-15: queued pushes outlive the process', { skip: withoutValkey }, async () => {
  const [one, other] = processes.servers
  const seen = phone.pushes().length
  await ada.at(one).client.messages.create(space.general, { content: `<@${eve.id}>` })
  await until(async () => (await countJobs(other)) > 0, 'it is asked for')
  await one.close()
  await hurryUntil(other, () => phone.pushes().length > seen, 'another process pushes it')
})
