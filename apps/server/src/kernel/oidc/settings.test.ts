import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { readProviders } from './settings.ts'

const good = { id: 'main', name: 'Main', issuer: 'https://login.example.org', client_id: 'foyer' }
const SECRET = 'a secret that no sentence may quote'

test('OIDC-1: a provider needs four fields, and has the usual scopes', () => {
  const [provider] = readProviders(JSON.stringify([good]))
  assert.deepEqual(provider, {
    ...{ id: 'main', name: 'Main', issuer: 'https://login.example.org', clientId: 'foyer' },
    ...{ clientSecret: undefined, scopes: ['openid', 'profile', 'email'], groupsClaim: 'groups' },
    ...{ operatorGroups: undefined, spaceGroups: undefined, allowInsecure: false },
  })
  assert.deepEqual(readProviders(''), [])
})

test('OIDC-16: the setting may name the groups that spaces use, or none', () => {
  for (const space_groups of [['staff'], []]) {
    const [provider] = readProviders(JSON.stringify([{ ...good, space_groups }]))
    assert.deepEqual(provider?.spaceGroups, space_groups)
  }
})

test('OIDC-1: the setting may name a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-test-'))
  const path = join(folder, 'providers.json')
  await writeFile(path, JSON.stringify([{ ...good, client_secret: SECRET, scopes: ['openid', 'groups'] }]))
  const [provider] = readProviders(path)
  assert.deepEqual([provider?.clientSecret, provider?.scopes], [SECRET, ['openid', 'groups']])
  await rm(folder, { recursive: true })
  assert.throws(() => readProviders(path), /OIDC_PROVIDERS is neither a JSON array nor the path of a file/)
})

test('OIDC-1: issuers on this machine may be without TLS, if the setting says so', () => {
  for (const issuer of ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000']) {
    const [provider] = readProviders(JSON.stringify([{ ...good, issuer, allow_insecure: true }]))
    assert.equal(provider?.allowInsecure, true)
  }
})

const wrong: Record<string, [unknown, RegExp]> = {
  'that is half of JSON': ['[', /not valid JSON/],
  'without an issuer': [[{ ...good, issuer: undefined }], /provider 1: .*issuer/],
  'with a field of another name': [[{ ...good, secret: SECRET }], /provider 1: .*/],
  'with a secret that is a number': [[{ ...good, client_secret: 7 }], /provider 1: client_secret/],
  'with one group that is no list': [[{ ...good, space_groups: 'staff' }], /provider 1: space_groups/],
  'with an id in capitals': [[{ ...good, id: 'Main' }], /provider 1: id/],
  'without TLS': [[{ ...good, issuer: 'http://login.example.org' }], /issuer of main must begin with https:/],
  'without TLS on this machine': [[{ ...good, issuer: 'http://127.0.0.1' }], /must begin with https:/],
  'without TLS elsewhere': [
    [{ ...good, issuer: 'http://login.example.org', allow_insecure: true }],
    /allow_insecure of main needs an issuer on this machine/,
  ],
  'with an issuer that is a script': [[{ ...good, issuer: 'javascript:alert(1)' }], /must be an address/],
  'with the address of the metadata': [
    [{ ...good, issuer: 'https://a.example/.well-known/openid-configuration' }],
    /must end before/,
  ],
  'with an issuer with a query': [[{ ...good, issuer: 'https://a.example/?b' }], /must be an address/],
  'with an issuer with a password': [[{ ...good, issuer: 'https://a:b@c.example' }], /must be an address/],
  'twice the same id': [[good, { ...good, issuer: 'https://b.example' }], /two providers have the id main/],
  'twice the same issuer': [[good, { ...good, id: 'b' }], /two providers have the issuer/],
}

for (const [name, [given, sentence]] of Object.entries(wrong)) {
  test(`OIDC-1: a setting ${name} ends the start with a sentence, which quotes no secret`, () => {
    const text = typeof given === 'string' ? given : JSON.stringify(given)
    assert.throws(
      () => readConfig({ OIDC_PROVIDERS: text }),
      (error) => {
        assert.ok(error instanceof Error)
        assert.match(error.message, /^OIDC_PROVIDERS/)
        assert.match(error.message, sentence)
        assert.ok(!error.message.includes(SECRET))
        return true
      },
    )
  })
}

test('OIDC-8: passwords cannot be off without a provider', () => {
  assert.throws(() => readConfig({ PASSWORD_LOGIN: 'off' }), /PASSWORD_LOGIN=off needs OIDC_PROVIDERS/)
  const config = readConfig({ PASSWORD_LOGIN: 'off', OIDC_PROVIDERS: JSON.stringify([good]) })
  assert.equal(config.passwordLogin, false)
})
