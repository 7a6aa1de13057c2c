import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Administration } from '@foyer/sdk/api/administration'
import { Client } from '@foyer/sdk/client'
import { startProgram } from '#test/processes/program.ts'
import { TEST_PASSWORD } from '#test/server.ts'

const OPERATOR = fileURLToPath(new URL('../../operator.ts', import.meta.url))
const execute = promisify(execFile)

let dataDir: string
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'foyer-test-'))
})
after(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }))

const settings = () => ({ PORT: '0', VOICE_PORT: '0', DATA_DIR: dataDir, HOST: '0.0.0.0' })

async function operate(...words: string[]): Promise<string> {
  const env = { ...process.env, ...settings() }
  return (await execute(process.execPath, [OPERATOR, ...words], { env })).stdout.trim()
}

test('OPERATOR-2, OPERATOR-13: a start prints the link, and the command line works whether the server runs or not', async () => {
  const program = await startProgram(settings())
  const line = await program.logged('to become its operator')
  const link = (await readFile(join(dataDir, 'operator-link'), 'utf8')).trim()
  assert.ok(line.includes(link), 'the log has the link of the file')
  assert.match(line, /npm run operator -- grant <username>/)
  const { port } = new URL(program.url)
  const eve = new Client({ baseUrl: `http://127.0.0.1:${port}`, retry: { maxAttempts: 1 } })
  await eve.auth.signin({ username: 'eve', email: 'eve@example.org', password: TEST_PASSWORD })
  assert.equal((await eve.users.me()).flags, 0)
  assert.equal(await operate('grant', 'eve'), 'eve is an operator')
  assert.equal((await eve.api(Administration).list()).length, 1)
  await operate('registration', 'closed')
  assert.equal((await eve.instance.get()).registration.mode, 'closed')
  await program.stop()
  assert.match(await operate('list'), /^eve, since /)
  assert.match(await operate('registration'), /registration: closed/)
  await assert.rejects(operate('revoke', 'eve'), /the server needs at least one operator/)
  const again = await startProgram(settings())
  await assert.rejects(readFile(join(dataDir, 'operator-link')), { code: 'ENOENT' })
  await again.stop()
})
