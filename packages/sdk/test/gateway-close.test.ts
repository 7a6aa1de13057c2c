import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { CloseCode, FINAL_CLOSE_CODES, Opcode } from '@foyer/protocol/gateway'
import { Client } from '@foyer/sdk/client'
import type { CloseReason } from '@foyer/sdk/gateway'
import { GatewayFixture } from './gateway-fixture.ts'
import { type Answer, sendError, sendJson } from './http-fixture.ts'
import { makeLoginResult, makeTokens } from './token-fixture.ts'

const renew: Answer = (_request, response) => sendJson(response, makeLoginResult(2))
const refuse: Answer = (_request, response) => sendError(response, 401)

/** A connected client of a server that answers every request, refreshes included, in one way. */
async function setUp(t: TestContext, answer: Answer, botToken?: string) {
  const server = await GatewayFixture.start(t, answer)
  const stored: Array<string | null> = []
  const client = new Client({
    baseUrl: server.baseUrl,
    tokens: makeTokens(1),
    onTokens: (tokens) => stored.push(tokens?.access_token ?? null),
    gatewayTimings: { baseDelayMs: 5, maxDelayMs: 20 },
    ...(botToken === undefined ? {} : { botToken }),
  })
  t.after(() => client.gateway.close())
  const closed = new Promise<CloseReason>((resolve) => {
    client.gateway.onState((_state, reason) => reason !== null && resolve(reason))
  })
  client.gateway.connect()
  return { server, gateway: client.gateway, stored, closed }
}

describe('a close code', () => {
  for (const code of Object.values(CloseCode).filter((code) => code !== CloseCode.CredentialRefused)) {
    const isFinal = FINAL_CLOSE_CODES.includes(code)
    test(`${code} is ${isFinal ? 'final' : 'followed by another connection'}`, async (t) => {
      const { server, gateway, closed } = await setUp(t, renew)
      ;(await server.acceptReady()).close(code)
      if (isFinal) assert.deepEqual(await closed, { code, final: true })
      else await server.accept()
      assert.equal(gateway.state, isFinal ? 'closed' : 'reconnecting')
      assert.equal(server.connections, isFinal ? 1 : 2)
    })
  }

  test('that is final allows a new start', async (t) => {
    const { server, gateway, closed } = await setUp(t, renew)
    ;(await server.acceptReady()).close(CloseCode.SessionEnded)
    await closed
    gateway.connect()
    await server.acceptReady()
    assert.equal(gateway.closeReason, null)
  })
})

describe('a refused credential', () => {
  test('is refreshed once and sent again', async (t) => {
    const { server, stored } = await setUp(t, renew)
    ;(await server.acceptReady()).close(CloseCode.CredentialRefused)
    const { d } = await (await server.accept()).receive(Opcode.Identify)
    assert.deepEqual(d, { token: 'access-2', session_token: 'session-2' })
    assert.deepEqual(stored, ['access-2'])
  })

  test('is final when the new one is also refused', async (t) => {
    const { server, closed } = await setUp(t, renew)
    for (const _ of ['the old one', 'the new one']) (await server.accept()).close(CloseCode.CredentialRefused)
    assert.deepEqual(await closed, { code: CloseCode.CredentialRefused, final: true })
    assert.equal(server.connections, 2)
  })

  test('is final when it cannot be refreshed', async (t) => {
    const { server, closed, stored } = await setUp(t, refuse)
    ;(await server.acceptReady()).close(CloseCode.CredentialRefused)
    assert.deepEqual(await closed, { code: CloseCode.CredentialRefused, final: true })
    assert.deepEqual(stored, [null])
    assert.equal(server.connections, 1)
  })

  test('is not final while the server is too busy to refresh it', async (t) => {
    let asked = 0
    const { server, stored } = await setUp(t, (request, response) => {
      asked += 1
      if (asked === 1) sendError(response, 503)
      else renew(request, response)
    })
    for (const _ of ['before the 503', 'after it']) (await server.accept()).close(CloseCode.CredentialRefused)
    const { d } = await (await server.accept()).receive(Opcode.Identify)
    assert.equal(d.token, 'access-2')
    assert.deepEqual(stored, ['access-2'])
  })

  test('of a bot is final', async (t) => {
    const { server, closed } = await setUp(t, renew, 'robot')
    ;(await server.accept()).close(CloseCode.CredentialRefused)
    assert.deepEqual(await closed, { code: CloseCode.CredentialRefused, final: true })
  })
})
