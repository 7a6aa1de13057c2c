import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const EXAMPLE = fileURLToPath(
  new URL('../../../../../../packages/sdk/examples/greeter-bot.ts', import.meta.url),
)
const MAX_WAIT_MS = 30_000
const POLL_INTERVAL_MS = 20

let server: TestServer
let owner: Person
let bot: Person
let greeter: ChildProcessByStdio<null, Readable, Readable>
let space: TestSpace
let problems = ''
let count = 0

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  const made = await createApplicationBot(server, owner, { name: 'Greeter' })
  bot = made
  const env = { ...process.env, BOT_TOKEN: made.token }
  greeter = spawn(process.execPath, [EXAMPLE, server.url], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  greeter.stderr.on('data', (text) => {
    problems += text
  })
  const [first] = await once(greeter.stdout, 'data')
  assert.equal(String(first), 'greeter greets\n')
})
after(async () => {
  greeter.kill()
  await server.close()
})

beforeEach(async () => {
  count += 1
  space = await makeSpace(owner)
  await owner.client.members.addBot(space.id, bot.id)
})

/** Waits for this many messages of the bot in the room. Returns them. */
async function receivedIn(roomId: string, messages: number): Promise<string[]> {
  const said = async () => (await owner.client.messages.list(roomId)).map(({ content }) => content)
  const deadline = Date.now() + MAX_WAIT_MS
  while ((await said()).length < messages && Date.now() < deadline) await delay(POLL_INTERVAL_MS)
  return said()
}

async function rolesOf(memberId: string, wanted: number): Promise<string[]> {
  const roles = async () => (await owner.client.members.get(space.id, memberId)).roles
  const deadline = Date.now() + MAX_WAIT_MS
  while ((await roles()).length < wanted && Date.now() < deadline) await delay(POLL_INTERVAL_MS)
  return roles()
}

async function newGuest(): Promise<Person> {
  const guest = await createPerson(server, `guest${count}`)
  await join(guest, owner, space)
  return guest
}

test('BOT-8: a bot made with the SDK greets new members, and gives them the guest role', async () => {
  const guest = await owner.client.roles.create(space.id, { name: 'Guest' })
  const high = await owner.client.roles.create(space.id, {
    name: 'Host',
    permissions: Permission.ManageRoles,
  })
  await owner.client.roles.update(space.id, high.id, { position: 2 })
  await owner.client.roles.assign(space.id, bot.id, high.id)
  const { id } = await newGuest()
  assert.deepEqual(await rolesOf(id, 1), [guest.id])
  assert.deepEqual(await receivedIn(space.general, 1), [`Welcome, guest${count}!`])
  assert.equal(problems, '')
})

test('BOT-8: a bot without the permissions does neither, and greets where it may', async () => {
  await owner.client.overwrites.upsert(space.id, space.general, {
    target_id: space.id,
    target_type: OverwriteTarget.Role,
    allow_flags: 0,
    deny_flags: Permission.SendMessages,
  })
  const second = await owner.client.rooms.create(space.id, { name: 'second', type: 1 })
  await owner.client.roles.create(space.id, { name: 'Guest' })
  const { id } = await newGuest()
  assert.deepEqual(await receivedIn(second.id, 1), [`Welcome, guest${count}!`])
  assert.deepEqual(await receivedIn(space.general, 0), [])
  assert.deepEqual(await rolesOf(id, 0), [])
  assert.equal(problems, '')
})
