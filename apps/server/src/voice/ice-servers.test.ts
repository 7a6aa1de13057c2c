import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { announcedAddresses, isAllowedPlace } from '#src/kernel/voice-addresses.ts'
import { iceServersFor } from './ice-servers.ts'

const NOW = Date.UTC(2026, 0, 1)

test('ENGINE-12: TURN credentials are for one user, expire after a day, and prove knowledge of the secret', () => {
  const { voice } = readConfig({
    VOICE_ICE_SERVERS: 'stun:a.example:3478, turn:a.example:3478?transport=udp,turns:a.example:5349',
    TURN_SECRET: 'shared',
  })
  const [stun, turn, ...others] = iceServersFor('anna', voice, NOW)
  assert.deepEqual(stun, { urls: ['stun:a.example:3478'] })
  const username = `${NOW / 1000 + 24 * 60 * 60}:anna`
  const credential = createHmac('sha1', 'shared').update(username).digest('base64')
  const urls = ['turn:a.example:3478?transport=udp', 'turns:a.example:5349']
  assert.deepEqual(turn, { urls, username, credential })
  assert.deepEqual(others, [])
  assert.deepEqual(iceServersFor('anna', readConfig({}).voice, NOW), [])
})

test('ENGINE-12: settings that no client could use are refused at the start', () => {
  for (const [settings, message] of [
    [{ VOICE_ICE_SERVERS: 'turn:a.example' }, /TURN server in VOICE_ICE_SERVERS needs TURN_SECRET/],
    [{ VOICE_ICE_SERVERS: 'https://a.example' }, /VOICE_ICE_SERVERS must be/],
    [{ VOICE_ICE_SERVERS: 'stun:' }, /VOICE_ICE_SERVERS must be/],
    [{ PUBLIC_IP: 'chat.example.org' }, /PUBLIC_IP must be/],
    [{ VOICE_PORT: '65530', VOICE_PROCESSES: '7' }, /VOICE_PORT leaves too few/],
    [{ VOICE_TCP_PORT: '70000' }, /VOICE_TCP_PORT must be a port, or off/],
    [{ VOICE_TCP_PORT: '-1' }, /VOICE_TCP_PORT must be a port, or off/],
    [{ VOICE_PORT: '500' }, /VOICE_PORT must be 80, 443 or from 1024 on/],
    [{ VOICE_PORT: '443', VOICE_PROCESSES: '2' }, /VOICE_PORT must be 80, 443 or from 1024 on/],
    [{ VOICE_TCP_PORT: '500' }, /VOICE_TCP_PORT must be 80, 443 or from 1024 on/],
    [{ VOICE_TCP_PORT: '443', VOICE_PROCESSES: '2' }, /VOICE_TCP_PORT must be 80, 443 or from 1024 on/],
    [{ VOICE_TCP_PORT: '65535', VOICE_PROCESSES: '2' }, /VOICE_TCP_PORT must be/],
    [{ VOICE_TCP_PORT: '8080' }, /VOICE_TCP_PORT is a port that this server already uses/],
    [
      { VOICE_TCP_PORT: '443', PUBLIC_IP: '8.8.8.8', TLS: 'acme', PUBLIC_URL: 'https://chat.example.org' },
      /VOICE_TCP_PORT is a port that this server already uses/,
    ],
    [{ VOICE_ENGINE: 'livekit', LIVEKIT_URL: 'wss://a.example' }, /livekit needs LIVEKIT_API_KEY/],
    [
      { VOICE_ENGINE: 'livekit', LIVEKIT_URL: 'a.example', LIVEKIT_API_KEY: 'a', LIVEKIT_API_SECRET: 'b' },
      /LIVEKIT_URL must be/,
    ],
  ] as const)
    assert.throws(() => readConfig(settings), message)
  assert.equal(readConfig({ VOICE_PORT: '65530', VOICE_PROCESSES: '6' }).voice.processes, 6)
})

test('ENGINE-13: clients receive the configured addresses first, then those of the machine, then the loopback addresses', () => {
  const address = (text: string, internal = false) => ({
    address: text,
    internal,
    netmask: '',
    mac: '',
    cidr: null,
    ...(text.includes(':') ? { family: 'IPv6' as const, scopeid: 0 } : { family: 'IPv4' as const }),
  })
  const interfaces = {
    lo: [address('127.0.0.1', true), address('::1', true)],
    eth0: [address('192.168.1.7'), address('fe80::1'), address('2001:db8::7')],
  }
  const own = ['192.168.1.7', '2001:db8::7', '127.0.0.1', '::1']
  assert.deepEqual(announcedAddresses([], interfaces), own)
  assert.deepEqual(announcedAddresses(['198.51.100.1'], interfaces), ['198.51.100.1', ...own])
  const many = { eth0: Array.from({ length: 100 }, (_, index) => address(`10.0.0.${index}`)) }
  assert.equal(announcedAddresses(['10.0.0.1'], many).length, 10)
})

test('VTCP-7: the TCP port has the number of VOICE_PORT, another one, or is off', () => {
  const tcpPort = (settings: Record<string, string>) => readConfig(settings).voice.tcpPort
  assert.equal(tcpPort({}), 7882)
  assert.equal(tcpPort({ VOICE_PORT: '4000' }), 4000)
  assert.equal(tcpPort({ VOICE_PORT: '0' }), 0)
  assert.equal(tcpPort({ VOICE_TCP_PORT: '443', PUBLIC_IP: '8.8.8.8' }), 443)
  assert.equal(tcpPort({ VOICE_TCP_PORT: '0', VOICE_PROCESSES: '2' }), 0)
  assert.equal(tcpPort({ VOICE_TCP_PORT: 'off' }), undefined)
  // Valid before there was TCP: the web server beside it keeps its TCP port, and voice works by UDP.
  const shared = {
    VOICE_PORT: '443',
    PUBLIC_IP: '8.8.8.8',
    TLS: 'acme',
    PUBLIC_URL: 'https://chat.example.org',
  }
  assert.equal(tcpPort(shared), undefined)
  assert.throws(
    () => tcpPort({ ...shared, VOICE_TCP_PORT: '443' }),
    /VOICE_TCP_PORT is a port that this server/,
  )
})

test('VTCP-7: only a process that opens the TCP port compares it with ports, and only with those it opens itself', () => {
  const shared = {
    ...{ VOICE_TCP_PORT: '443', PUBLIC_IP: '8.8.8.8', TLS: 'acme', PUBLIC_URL: 'https://chat.example.org' },
    ...{ DATABASE_URL: 'postgres://db.example.org/foyer', VALKEY_URL: 'redis://valkey.example.org' },
    SECRET_KEY: 'k'.repeat(43),
  }
  const tcpPort = (...args: string[]) => readConfig(shared, args).voice.tcpPort
  assert.throws(() => tcpPort(), /VOICE_TCP_PORT is a port that this server already uses/)
  assert.throws(
    () => tcpPort('--services=voice,api'),
    /VOICE_TCP_PORT is a port that this server already uses/,
  )
  assert.equal(tcpPort('--services=voice'), 443)
  assert.equal(tcpPort('--services=api,gateway'), 443)
  const onPort = { ...shared, VOICE_TCP_PORT: '8080' }
  assert.throws(() => readConfig(onPort, ['--services=voice']), /VOICE_TCP_PORT is a port/)
  const elsewhere = { ...shared, VOICE_ENGINE: 'livekit', LIVEKIT_URL: 'wss://a.example' }
  assert.ok(readConfig({ ...elsewhere, LIVEKIT_API_KEY: 'a', LIVEKIT_API_SECRET: 'b' }).voice.livekit)
})

test('VTCP-7: ports 80 and 443 need a public address, because browsers refuse them at private ones', {
  skip:
    announcedAddresses([]).some((address) => isAllowedPlace(address, 443)) &&
    'this machine has a public address',
}, () => {
  for (const given of [
    { VOICE_TCP_PORT: '443' },
    { VOICE_TCP_PORT: '80', PUBLIC_IP: '192.168.1.7,fd00::7,100.64.0.1' },
    { VOICE_PORT: '443', VOICE_TCP_PORT: 'off' },
  ])
    assert.throws(() => readConfig(given), /VOICE_(TCP_)?PORT=(80|443) needs a public address.*Set PUBLIC_IP/)
  const { voice } = readConfig({ VOICE_TCP_PORT: '443', PUBLIC_IP: '192.168.1.7,2620:fe::fe' })
  assert.equal(voice.tcpPort, 443)
})
