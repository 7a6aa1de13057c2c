import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { insertOverwrite } from '#test/scenes/space-rows.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let guest: Person
let space: TestSpace
let listenerClient: GatewayClient
/** Receives every event. */
let speakerClient: GatewayClient

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  guest = await createPerson(server, 'guest')
  // The third member stays, so that the gateway keeps the space loaded.
  space = await makeSpace(owner, [guest, await createPerson(server, 'stays')])
  speakerClient = await connect(server, owner)
  listenerClient = await connect(server, guest)
})
after(() => server.close())

async function setOwn(allow_flags: number, deny_flags: number): Promise<void> {
  const own = { target_id: guest.id, target_type: 1, allow_flags, deny_flags }
  await insertOverwrite(server, space.id, { ...own, room_id: space.general })
}

async function receives(content: string): Promise<boolean> {
  await owner.client.messages.create(space.general, { content })
  // The gateway holds a space's events while it recomputes the audience: once one client has the message, it was sent.
  await speakerClient.find(({ t, text }) => t === 'MESSAGE_CREATE' && text.includes(content))
  await listenerClient.settle()
  return listenerClient.frames.some(({ t, text }) => t === 'MESSAGE_CREATE' && text.includes(content))
}

async function comeBack(): Promise<void> {
  await guest.client.members.leave(space.id)
  await join(guest, owner, space)
  await listenerClient.settle()
}

test('MEMBER-6: a returning member receives a room again that their own overwrite had hidden', async () => {
  await setOwn(0, Permission.ViewChannels)
  assert.equal(await receives('while it is denied'), false)
  await comeBack()
  assert.equal(await receives('after coming back'), true)
})

test('MEMBER-6: a returning member does not receive a room that their own overwrite had shown', async () => {
  const everyone = {
    target_id: space.id,
    target_type: 0,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  }
  await setOwn(Permission.ViewChannels, 0)
  await insertOverwrite(server, space.id, { ...everyone, room_id: space.general })
  assert.equal(await receives('while it is allowed'), true)
  await comeBack()
  assert.equal(await receives('to those who may hear it'), false)
})
