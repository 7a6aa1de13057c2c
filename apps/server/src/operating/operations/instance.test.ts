import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from '@foyer/sdk/client'
import { sql } from '#src/kernel/sql/sql.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer({ version: '9.8.7' })
})
after(() => server.close())

test('INSTANCE-1: anyone can see whether a server has accounts and how to get one, and nothing about them', async () => {
  const { instance } = new Client({ baseUrl: server.url })
  const told = {
    version: '9.8.7',
    is_empty: true,
    awaits_operator: false,
    has_mail: false,
    passkey_origin: null,
    registration: { mode: 'open', question: null, has_domain_rule: false },
    login: { passwords: true, providers: [] },
  }
  assert.deepEqual(await instance.get(), told)
  await server.signUp('ada')
  const response = await server.fetch('/api/instance', { headers: { authorization: 'Bot nonsense' } })
  const later = { ...told, is_empty: false }
  assert.deepEqual([response.status, await response.json()], [200, later])
  await server.deps.database.execute(sql`delete from operators`)
  assert.deepEqual(await instance.get(), { ...later, awaits_operator: true }, 'the last operator has gone')
})

test('INSTANCE-1: anyone can see whether a server sends mails, and not through which mail server', async () => {
  const other = await startTestServer({ smtpUrl: 'smtp://secret:word@127.0.0.1:9' })
  const response = await other.fetch('/api/instance')
  const text = await response.text()
  await other.close()
  assert.equal(JSON.parse(text).has_mail, true)
  assert.doesNotMatch(text, /secret|:word|127/)
})
