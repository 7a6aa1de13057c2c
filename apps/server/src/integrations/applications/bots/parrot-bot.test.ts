import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { connect } from '#test/gateway-client.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { talk } from '#test/voice/talkers.ts'

const EXAMPLE = fileURLToPath(
  new URL('../../../../../../packages/sdk/examples/parrot-bot.ts', import.meta.url),
)

let server: TestServer
let owner: Person
let parrot: ChildProcessByStdio<null, Readable, null> | undefined

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
})
after(async () => {
  parrot?.kill('SIGKILL')
  await server.close()
})

test('BOT-8: a bot made with the SDK receives speech in a voice room, repeats it, and leaves', async () => {
  const space = await makeSpace(owner)
  const bot = await createApplicationBot(server, owner, { name: 'Parrot' })
  await owner.client.members.addBot(space.id, bot.id)
  const env = { ...process.env, BOT_TOKEN: bot.token }
  parrot = spawn(process.execPath, [EXAMPLE, space.lounge, server.url], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [first] = await once(parrot.stdout, 'data')
  assert.equal(String(first), 'the parrot listens\n')
  const client = await connect(server, owner)
  const talker = await talk(client, { room_id: space.lounge }, 440)
  await talker.peer.hears(440)
  talker.peer.speak(0)
  await talker.peer.hears()
  const ended = once(parrot, 'exit')
  parrot.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
  talker.close()
  client.close()
})
