import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { callAsNobody } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer

before(async () => {
  server = await startTestServer({ rateLimits: true })
})
after(() => server.close())

test('INVITE-13: an address may look up 60 invites a minute', async () => {
  const codes = Array.from({ length: 60 }, (_, index) => `code${index}`)
  const answers = await Promise.all(codes.map((code) => callAsNobody(server, 'GET', `/api/invites/${code}`)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([404]))
  const refused = await callAsNobody(server, 'GET', '/api/invites/another')
  assert.equal(refused.status, 429)
})
