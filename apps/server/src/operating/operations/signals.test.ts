import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { cloneDatabase, urlOf } from '#test/database.ts'
import { type Program, startProgram } from '#test/processes/program.ts'

const REPEAT_MS = 100

let database: Awaited<ReturnType<typeof cloneDatabase>>
let dataDir: string
let program: Program
let socket: Socket

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'foyer-test-signals-'))
})
after(() => rm(dataDir, { recursive: true, force: true }))
beforeEach(async () => {
  database = await cloneDatabase()
  program = await startProgram({ DATABASE_URL: urlOf(database), DATA_DIR: dataDir })
  socket = await beginRequest()
})

/** Begins a request that stays in progress until its sender finishes it. */
async function beginRequest(): Promise<Socket> {
  const { hostname, port } = new URL(program.url)
  const opened = connect(Number(port), hostname)
  await once(opened, 'connect')
  const head = [
    'POST /api/auth/login HTTP/1.1',
    'Host: a',
    'Content-Type: application/json',
    'Content-Length: 2',
  ]
  opened.write(`${head.join('\r\n')}\r\nExpect: 100-continue\r\n\r\n`)
  await once(opened, 'data')
  return opened
}

test('OPS-4: a repeated signal, as npm and a terminal send it, drains like a single one', async () => {
  for (const name of ['SIGINT', 'SIGINT', 'SIGTERM'] as const) program.signal(name)
  await program.logged('draining')
  program.signal('SIGTERM')
  program.signal('SIGINT')
  // A request in progress is answered.
  socket.write('{}')
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 400 /)
  socket.end()
  assert.equal(await program.exited, 0)
  await database.drop()
})

test('OPS-4: signals repeated for three seconds end the server at once', async () => {
  program.signal('SIGINT')
  await program.logged('draining')
  const asking = setInterval(() => program.signal('SIGINT'), REPEAT_MS)
  const code = await program.exited.finally(() => clearInterval(asking))
  socket.destroy()
  assert.equal(code, 1)
  await database.drop()
})
