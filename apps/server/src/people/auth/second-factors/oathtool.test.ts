import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SecondFactors } from '@foyer/sdk/api/second-factors'
import { noOathtool, oathtoolCodes } from '#test/outside/oathtool.ts'
import { send } from '#test/scenes/accounts.ts'
import { createOwner, proof } from '#test/scenes/passkeys.ts'
import { awaitSteadyPeriod } from '#test/scenes/second-factors.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { newTotpSecret, totpCode } from './totp.ts'

const PERIOD_SECONDS = 30
const CODES = 500
/** 1970, today, and after the 32 bits of seconds end. */
const TIMES = [0, Math.floor(Date.now() / 1000), 2 ** 32]

let server: TestServer

before(async () => {
  server = await startOwnServer()
})
after(() => server.close())

test('FACTOR-1: another program makes the same codes from the same secret', {
  skip: noOathtool,
}, async () => {
  for (const seconds of TIMES) {
    const secret = newTotpSecret()
    const first = Math.floor(seconds / PERIOD_SECONDS)
    const own = Array.from({ length: CODES }, (_, index) => totpCode(secret, first + index))
    assert.deepEqual(own, await oathtoolCodes(secret, seconds, CODES), `${secret} at ${seconds}`)
  }
})

test('FACTOR-2: a code of another program logs in', { skip: noOathtool }, async () => {
  const ada = await createOwner(server, 'ada')
  await awaitSteadyPeriod()
  const { secret } = await ada.client.api(SecondFactors).prepareTotp(proof)
  const now = Math.floor(Date.now() / 1000)
  const [before = '', present = ''] = await oathtoolCodes(secret, now - PERIOD_SECONDS, 2)
  await ada.client.api(SecondFactors).confirmTotp({ code: before })
  const body = { email: 'ada', password: proof.password, code: present }
  assert.equal((await send(server, 'POST', '/api/auth/login', { body })).status, 200)
})
