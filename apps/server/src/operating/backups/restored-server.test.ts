import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import { Client } from '@foyer/sdk/client'
import { backUp, restore, restoreSettings } from '#test/backups/commands.ts'
import { runCommand } from '#test/backups/processes.ts'
import { identify, openSession, resume } from '#test/gateway-client.ts'
import { type Program, startProgram } from '#test/processes/program.ts'
import { createPerson } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'
import { addStorage } from '#test/storages.ts'

let server: TestServer
let folder: string
let program: Program | undefined

before(async () => {
  server = await startTestServer()
})
after(() => server.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-restored-'))
})
afterEach(async () => {
  await program?.stop()
  program = undefined
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

test('RESTORE-6: on a restored server people log in, old clients get INVALID_SESSION and then go on, and pictures are served', async () => {
  const client = await server.signUp('grace')
  const ada = await createPerson(server, 'ada')
  const { id, general } = await makeSpace(ada)
  await addStorage(server, id)
  const sent = await ada.client.messages.create(general, { content: 'before', nonce: 'sent once' })
  const emoji = await ada.client.emojis.create(id, { name: 'tea', image: await png() })
  const session = await openSession(server, ada.id)
  const live = await identify(server, session)
  const { s = '' } = await live.findEvent('READY')
  live.close()
  const picture = Buffer.from(await (await server.fetch(`/attachments/${emoji.attachment_id}`)).arrayBuffer())
  const [to, dataDir] = [join(folder, 'repository'), join(folder, 'data')]
  await backUp(server, [`--to=${to}`])
  await ada.client.messages.create(general, { content: 'after' })

  await restore(restoreSettings(dataDir), [`--from=${to}`])

  assert.deepEqual((await readdir(dataDir)).sort(), ['files', 'lock', 'postgres', 'secret.key', 'tmp'])
  program = await startProgram({ DATA_DIR: dataDir })
  const again = new Client({ baseUrl: program.url, retry: { maxAttempts: 1 } })
  await again.auth.login({ email: 'grace@example.org', password: TEST_PASSWORD })
  assert.equal((await again.users.me()).id, (await client.users.me()).id)
  const back = await resume(program, session, s)
  await back.findCommand(Opcode.InvalidSession)
  assert.deepEqual(
    back.frames.filter(({ op }) => op === Opcode.Dispatch),
    [],
  )
  back.close()
  const fresh = await identify(program, session)
  const ready = await fresh.findEvent('READY')
  const position = ready.s ?? ''
  const here = ada.at(program)
  const resent = await here.client.messages.create(general, { content: 'before', nonce: 'sent once' })
  assert.equal(resent.id, sent.id)
  const next = await here.client.messages.create(general, { content: 'next' })
  await fresh.findEvent('MESSAGE_CREATE')
  fresh.close()
  const resumed = await resume(program, session, position)
  await resumed.findEvent('RESUMED')
  assert.equal(resumed.heard('MESSAGE_CREATE').length, 1)
  resumed.close()
  const history = await here.client.messages.list(general)
  assert.deepEqual(history.map((message) => message.id).sort(), [sent.id, next.id].sort())
  const served = await fetch(`${program.url}/attachments/${emoji.attachment_id}`)
  assert.deepEqual(Buffer.from(await served.arrayBuffer()), picture)
})

test('BACKUP-7: the command works on an embedded database, whether its server runs or not', async () => {
  const [to, dataDir] = [join(folder, 'repository'), join(folder, 'data')]
  const settings = { PORT: '0', VOICE_PORT: '0', ...restoreSettings(dataDir) }
  program = await startProgram(settings)
  const first = await runCommand('backup', settings, [`--to=${to}`])
  assert.equal(first.code, 0, first.errors)
  await program.stop()
  program = undefined
  const second = await runCommand('backup', settings, [`--to=${to}`])
  assert.equal(second.code, 0, second.errors)
  assert.match(second.output, /^\d{8}T\d{9}Z in .*repository: \d+ rows/)
  const verified = await runCommand('backup', settings, [`--to=${to}`, '--verify'])
  assert.match(verified.output, /can be restored/, verified.errors)
  const other = await runCommand('restore', restoreSettings(join(folder, 'other')), [`--from=${to}`])
  assert.match(other.output, /^restored /, other.errors)
})
