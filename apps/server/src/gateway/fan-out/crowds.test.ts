import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { cloneDatabase } from '#test/database.ts'
import { startChildServer } from '#test/processes/child-server.ts'

const CROWD = 1500
/** The longest accept queue of the system. */
const somaxconn = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
const skip = somaxconn < CROWD && 'net.core.somaxconn is lower'

test('ADMISSION-10: many connections that arrive while the process is busy are accepted when it continues', {
  skip,
  timeout: 30_000,
}, async () => {
  await using stack = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-test-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const database = await cloneDatabase()
  stack.defer(() => database.drop())
  const config = readConfig({ PORT: '0', VOICE_PORT: '0', DATA_DIR: dataDir })
  const server = await startChildServer({ config, connection: database.connection })
  stack.defer(() => server.kill())
  const { hostname, port } = new URL(server.url)
  server.pause()
  const crowd = Array.from({ length: CROWD }, () => connect(Number(port), hostname))
  stack.defer(() => {
    for (const socket of crowd) socket.destroy()
  })
  await Promise.all(crowd.map((socket) => once(socket, 'connect')))
  server.goOn()
  const last = crowd.at(-1)
  assert.ok(last)
  last.write('GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [answer] = await once(last, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 200 /)
})
