import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tokens } from '@foyer/sdk/rest'
import { Login } from './login.ts'

function tokensOf(session: string, generation = 1): Tokens {
  const token = (kind: string) => `${kind}.user.${session}.${generation}.0.mac`
  return {
    access_token: token('access'),
    refresh_token: token('refresh'),
    session_token: token('session'),
    expires_at: '2026-01-01T00:00:00.000Z',
    session_expires_at: '2026-01-01T00:00:00.000Z',
  }
}

function storageOf(kept: Tokens | null) {
  const storage = {
    kept,
    load: () => storage.kept,
    save: (tokens: Tokens | null) => {
      storage.kept = tokens
    },
    onChange: () => () => undefined,
  }
  return storage
}

test('TAB-7: a login uses tokens that another tab refreshed, and ends for all tabs', () => {
  const storage = storageOf(tokensOf('one'))
  const [here, elsewhere] = [new Login(storage), new Login(storage)]
  elsewhere.save(tokensOf('one', 2))
  assert.deepEqual(here.load(), tokensOf('one', 2))
  elsewhere.end()
  assert.equal(here.load(), null)
  assert.equal(here.isLast, true)
})

test('TAB-7: a login neither uses nor ends one that another tab began', () => {
  const storage = storageOf(tokensOf('one'))
  const here = new Login(storage)
  const elsewhere = new Login(storage)
  elsewhere.end()
  elsewhere.save(tokensOf('two'))
  assert.equal(here.load(), null)
  assert.equal(here.isLast, false)
  here.end()
  assert.deepEqual(storage.kept, tokensOf('two'))
  assert.deepEqual(elsewhere.load(), tokensOf('two'))
})
