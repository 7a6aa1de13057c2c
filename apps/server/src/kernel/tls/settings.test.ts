import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { portHostOf } from './settings.ts'

const PUBLIC_URL = 'https://chat.example.org'

function tlsOf(environment: Record<string, string>) {
  return readConfig(environment).tls
}

test('HTTPS-1: a PUBLIC_URL with a public name is enough', () => {
  const tls = tlsOf({ PUBLIC_URL })
  assert.deepEqual(tls, {
    kind: 'acme',
    host: 'chat.example.org',
    origin: PUBLIC_URL,
    ...{ httpsPort: 443, httpPort: 80, listenHost: undefined },
    directory: 'https://acme-v02.api.letsencrypt.org/directory',
    email: undefined,
    isGuess: true,
  })
  assert.deepEqual(tlsOf({ PUBLIC_URL: `${PUBLIC_URL}/`, PORT: '', HOST: '' }), tls)
})

const PROXIES: readonly Record<string, string>[] = [
  { TRUSTED_PROXIES: '127.0.0.1' },
  { PORT: '8080' },
  { HOST: '0.0.0.0' },
  { TLS: 'off' },
]
for (const proxy of PROXIES)
  test(`HTTPS-1: a server behind a proxy, with ${Object.keys(proxy)}, has no HTTPS of its own`, () => {
    assert.equal(tlsOf({ PUBLIC_URL, ...proxy }), undefined)
    assert.equal(portHostOf(readConfig({ PUBLIC_URL, ...proxy })), proxy.HOST ?? '127.0.0.1')
  })

const OTHER_PLACES = [
  'http://chat.example.org',
  'https://chat.example.org:8443',
  'https://192.0.2.7',
  'https://[2001:db8::7]',
  'https://localhost',
  'https://chat.localhost',
  'https://chat.lan',
  'https://chat.onion',
]
for (const url of OTHER_PLACES)
  test(`HTTPS-1: PUBLIC_URL=${url} alone does not turn it on`, () => {
    assert.equal(tlsOf({ PUBLIC_URL: url }), undefined)
  })

test('HTTPS-1: TLS=acme turns it on in any case, and PORT is then for this machine', () => {
  const environment = { PUBLIC_URL, TLS: 'acme', PORT: '9000', HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.1' }
  const config = readConfig(environment)
  assert.equal(config.tls?.kind === 'acme' && config.tls.isGuess, false)
  assert.equal(config.tls?.listenHost, '0.0.0.0')
  assert.equal(portHostOf(config), '127.0.0.1')
  // These open no HTTPS_PORT.
  for (const services of [['jobs'], ['voice', 'jobs']])
    assert.equal(portHostOf({ ...config, services }), '0.0.0.0')
  assert.equal(portHostOf({ ...config, services: ['gateway'] }), '127.0.0.1')
})

test('HTTPS-1: TLS_CERT and TLS_KEY turn it on, also for an address', () => {
  const files = { TLS_CERT: '/tls/cert.pem', TLS_KEY: '/tls/key.pem' }
  const tls = tlsOf({ PUBLIC_URL: 'https://192.0.2.7:8443', HTTPS_PORT: '8443', PORT: '9000', ...files })
  assert.deepEqual(tls, {
    kind: 'files',
    host: '192.0.2.7',
    origin: 'https://192.0.2.7:8443',
    ...{ httpsPort: 8443, httpPort: 80, listenHost: undefined },
    ...{ certificate: '/tls/cert.pem', key: '/tls/key.pem' },
  })
  assert.equal(tlsOf({ PUBLIC_URL, TLS: 'off', ...files }), undefined)
})

const WRONG: readonly (readonly [Record<string, string>, RegExp])[] = [
  [{ TLS: 'on' }, /^TLS must be/],
  [{ TLS: 'acme' }, /^TLS=acme needs a PUBLIC_URL that begins with https/],
  [
    { TLS: 'acme', PUBLIC_URL: 'http://chat.example.org' },
    /^TLS=acme needs a PUBLIC_URL that begins with https/,
  ],
  [{ TLS: 'acme', PUBLIC_URL: 'https://192.0.2.7' }, /^TLS=acme needs a PUBLIC_URL with a public name/],
  [{ TLS_CERT: 'a' }, /^TLS_CERT needs TLS_KEY/],
  [{ TLS_KEY: 'a', PUBLIC_URL }, /^TLS_KEY needs TLS_CERT/],
  [{ TLS_CERT: 'a', TLS_KEY: 'b' }, /^TLS_CERT needs a PUBLIC_URL that begins with https/],
  [{ TLS: 'acme', TLS_CERT: 'a', TLS_KEY: 'b', PUBLIC_URL }, /^TLS=acme cannot be combined with TLS_CERT/],
  [{ PUBLIC_URL, HTTPS_PORT: '80' }, /^HTTPS_PORT and HTTP_PORT must differ/],
  [{ PUBLIC_URL, HTTPS_PORT: '0' }, /^HTTPS_PORT must be/],
  [{ PUBLIC_URL, HTTP_PORT: '65536' }, /^HTTP_PORT must be/],
  [{ PUBLIC_URL, ACME_DIRECTORY: 'acme' }, /^ACME_DIRECTORY must be an address/],
  [{ PUBLIC_URL, ACME_EMAIL: 'nobody' }, /^ACME_EMAIL must be a mail address/],
]
for (const [environment, message] of WRONG)
  test(`HTTPS-1: ${JSON.stringify(environment)} is refused`, () => {
    assert.throws(
      () => readConfig(environment),
      (error) => error instanceof Error && message.test(error.message),
    )
  })
