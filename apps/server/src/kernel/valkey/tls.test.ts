import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { startTlsValkey, type TestTlsValkey, withoutTlsValkey } from '#test/valkey/valkey-tls.ts'
import { PubSub } from './pub-sub.ts'
import { SharedCounters } from './shared-counters.ts'
import { Valkey } from './valkey.ts'

const skip = withoutTlsValkey
const TRUSTED = getCACertificates('default')

let server: TestTlsValkey
before(async () => {
  if (skip === false) server = await startTlsValkey()
})
after(async () => {
  setDefaultCACertificates(TRUSTED)
  await server?.close()
})

async function enter() {
  const errors: string[] = []
  const valkey = new Valkey({
    url: server.url,
    prefix: 'test',
    onError: ({ message }) => errors.push(message),
  })
  await valkey.known
  return { valkey, errors, [Symbol.dispose]: () => valkey.close() }
}

test('PROCESS-12: a Valkey whose certificate cannot be verified is not used', { skip }, async () => {
  using entered = await enter()
  assert.equal(entered.valkey.isUp, false)
  assert.match(entered.errors.join(), /self-signed certificate/)
})

test('PROCESS-12: processes are connected over TLS like without it', { skip }, async () => {
  setDefaultCACertificates([...TRUSTED, server.certificate])
  using entered = await enter()
  const { valkey } = entered
  const counter = { subject: 'ann', name: 'requests', limit: 1, windowMs: 60_000 } as const
  const counters = new SharedCounters(valkey, 'secret')
  const verdicts = [await counters.take([counter], Date.now()), await counters.take([counter], Date.now())]
  assert.deepEqual(
    verdicts.map((verdict) => verdict?.allowed),
    [true, false],
  )
  const heard = Promise.withResolvers<string>()
  const up = Promise.withResolvers<void>()
  const pubSub = new PubSub(valkey, {
    onMessage: (_channel, payload) => heard.resolve(payload),
    onUp: () => up.resolve(),
    onDown: () => undefined,
  })
  pubSub.subscribe(['a'])
  await up.promise
  await pubSub.publish('a', 'hello')
  assert.equal(await heard.promise, 'hello')
  pubSub.close()
})
