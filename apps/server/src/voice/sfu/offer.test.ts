import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { writeAnswer } from './answer.ts'
import { readOffer } from './offer.ts'
import { Refusal } from './refusal.ts'

const FINGERPRINT = `sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}`
const TRANSPORT = [
  'a=ice-ufrag:abcd',
  'a=ice-pwd:abcdefghijklmnopqrstuv',
  `a=fingerprint:${FINGERPRINT}`,
  'a=setup:actpass',
]
const HEAD = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0']
const LOCAL = {
  ufrag: 'oursours',
  password: 'oursoursoursoursoursours',
  fingerprint: FINGERPRINT,
  addresses: ['198.51.100.7', '2001:db8::7'],
  publicIps: [],
  port: 7882,
}

suite('SFU-1: an offer is refused', () => {
  const good = [...HEAD, ...line(0, 'sendonly'), ...line(1, 'recvonly')]
  const without = (start: string) => good.filter((row) => !row.startsWith(start))
  const refused: Record<string, string> = {
    'that is empty': '',
    'that is no SDP': 'Hello!\r\n'.repeat(20),
    'that is JSON': JSON.stringify({ type: 'offer', sdp: sdp(good) }),
    'with a line that is none of SDP': sdp([...good, 'and more']),
    'of over 64 Ki characters': sdp([...good, `a=x:${'x'.repeat(65_536)}`]),
    'of over 2500 lines': sdp([...good, ...Array.from({ length: 2500 }, () => 'a=x:1')]),
    'of a thousand media lines': sdp([
      ...[...HEAD, ...TRANSPORT],
      ...Array.from({ length: 1000 }, () => ['m=video 9 UDP/TLS/RTP/SAVPF 96', 'a=recvonly']).flat(),
    ]),
    'of over 40 media lines': sdp([
      ...HEAD,
      ...TRANSPORT,
      ...Array.from({ length: 41 }, (_, mid) => line(mid, 'recvonly').slice(0, 5)).flat(),
    ]),
    'without media': sdp([...HEAD, ...TRANSPORT]),
    'whose audio is all inactive': sdp([...HEAD, ...line(0, 'inactive')]),
    'without Opus': sdp(good.map((row) => row.replace('opus/48000/2', 'PCMU/8000'))),
    'whose Opus has a payload type of reports': sdp(
      good.map((row) => row.replace('rtpmap:111', 'rtpmap:72')),
    ),
    'with only video': sdp([...HEAD, ...TRANSPORT, ...picture(0, 'recvonly')]),
    'with text': sdp([...good, 'm=text 9 UDP/TLS/RTP/SAVPF 96', 'a=mid:2']),
    'with video without encryption': sdp([...good, 'm=video 9 RTP/AVP 96', 'a=mid:2']),
    'with a video line that has the mid of sound': sdp([...good, ...picture(1, 'recvonly')]),
    'with one source for two pictures': sdp([
      ...good,
      ...[...picture(2, 'sendonly'), 'a=ssrc:5 cname:x'],
      ...[...picture(3, 'sendonly'), 'a=ssrc:5 cname:x'],
    ]),
    'with a data channel': sdp([...good, 'm=application 9 UDP/DTLS/SCTP webrtc-datachannel', 'a=mid:2']),
    'without encryption': sdp(good.map((row) => row.replace('UDP/TLS/RTP/SAVPF', 'RTP/AVP'))),
    'without ice-ufrag': sdp(without('a=ice-ufrag')),
    'without ice-pwd': sdp(without('a=ice-pwd')),
    'without a fingerprint': sdp(without('a=fingerprint')),
    'with a fingerprint that is cut off': sdp(good.map((row) => row.replace(/(fingerprint:.*):AB$/, '$1'))),
    'with a fingerprint of a broken hash': sdp(good.map((row) => row.replace('sha-256', 'md5'))),
    'with a ufrag that smuggles': sdp(good.map((row) => row.replace(/ufrag:.*/, 'ufrag:ab cd"\u0000'))),
    'with a mid twice': sdp([...good, ...line(0, 'recvonly')]),
    'without a mid': sdp(without('a=mid:1')),
  }

  test('unless it is valid', () => {
    assert.doesNotThrow(() => readOffer(sdp(good)))
    assert.doesNotThrow(() => readOffer(sdp(good).replaceAll('\r\n', '\n')))
    assert.doesNotThrow(() => readOffer(sdp([...HEAD, ...line(0, 'sendrecv')])))
    const many = Array.from({ length: 40 }, (_, mid) => line(mid, 'recvonly').slice(0, 5)).flat()
    assert.doesNotThrow(() => readOffer(sdp([...HEAD, ...TRANSPORT, ...many])))
  })

  for (const [what, offer] of Object.entries(refused)) {
    test(what, () => {
      assert.throws(
        () => readOffer(offer),
        (error) => error instanceof Refusal && error.code === 'invalid_offer',
      )
    })
  }
})

suite('SFU-2: an offer', () => {
  test('has its first sending line as microphone, and eight receiving lines as slots', () => {
    const lines = [line(0, 'sendonly'), line(1, 'sendonly')]
    const slots = Array.from({ length: 10 }, (_, at) => line(2 + at, 'recvonly'))
    const offer = readOffer(sdp([...HEAD, ...lines.flat(), ...slots.flat()]))
    assert.deepEqual(
      offer.lines.map(({ use }) => use),
      ['microphone', 'unused', ...Array.from({ length: 8 }, () => 'slot'), 'unused', 'unused'],
    )
    const answered = answerTo(offer).split('m=audio ').slice(1)
    assert.deepEqual(
      answered.map((text) => /a=(sendonly|recvonly|inactive)/.exec(text)?.[1]),
      ['recvonly', 'inactive', ...Array.from({ length: 8 }, () => 'sendonly'), 'inactive', 'inactive'],
    )
    assert.match(answerTo(offer), /^a=group:BUNDLE 0 2 3 4 5 6 7 8 9\r$/m)
  })

  test('has no slot in a line without a port, unless it is bundled with the first, as in Firefox', () => {
    const asks = (...rows: string[]) => {
      const [start = '', ...rest] = line(1, 'recvonly')
      const other = [start.replace('audio 9', 'audio 0'), ...rest, ...rows]
      return readOffer(sdp([...HEAD, ...line(0, 'sendonly'), ...other])).lines[1]?.use
    }
    assert.deepEqual([asks(), asks('a=bundle-only')], ['unused', 'slot'])
  })

  test('VIDEO-1: has lines for a camera, a screen with its sound, and ten pictures', () => {
    const sends = (mid: number, rows: string[]) => [...rows, `a=ssrc:${mid + 100} cname:x`]
    const offer = readOffer(
      sdp([
        ...[...HEAD, ...line(0, 'sendonly')],
        ...Array.from({ length: 8 }, (_, at) => line(1 + at, 'recvonly')).flat(),
        ...sends(9, line(9, 'sendonly')),
        ...[...line(10, 'recvonly'), ...line(11, 'recvonly')],
        ...[...sends(12, picture(12, 'sendonly')), ...sends(13, picture(13, 'sendonly'))],
        ...Array.from({ length: 11 }, (_, at) => picture(14 + at, 'recvonly')).flat(),
      ]),
    )
    const uses = offer.lines.map(({ use }) => use)
    assert.deepEqual(uses.slice(0, 2), ['microphone', 'slot'])
    assert.deepEqual(uses.slice(8, 15), [
      ...['slot', 'screenSound', 'soundSlot', 'soundSlot', 'camera', 'screen', 'pictureSlot'],
    ])
    assert.deepEqual(uses.slice(-2), ['pictureSlot', 'unused'])
    const [camera] = answerTo(offer)
      .split(/^(?=m=)/m)
      .filter((part) => part.startsWith('m=video'))
    assert.match(camera ?? '', /^m=video 9 UDP\/TLS\/RTP\/SAVPF 96 97\r$/m)
    assert.deepEqual(camera?.match(/a=(rtpmap|rtcp-fb|fmtp|recvonly).*/g), [
      'a=rtpmap:96 VP8/90000',
      'a=rtcp-fb:96 nack',
      'a=rtcp-fb:96 nack pli',
      'a=rtcp-fb:96 goog-remb',
      'a=rtpmap:97 rtx/90000',
      'a=fmtp:97 apt=96',
      'a=recvonly',
    ])
    const received = answerTo(offer)
      .split(/^(?=m=)/m)
      .find((part) => part.startsWith('m=video 9') && part.includes('a=sendonly'))
    assert.deepEqual(received?.match(/(?<=a=rtcp-fb:96 ).*(?=\r)/g), [
      ...['nack', 'nack pli', 'goog-remb', 'transport-cc', 'rrtr'],
    ])
    assert.match(answerTo(offer), /^m=video 0 UDP\/TLS\/RTP\/SAVPF 0\r$/m)
  })

  test('VIDEO-1: has no camera in a line without VP8, or whose source is not named', () => {
    const asks = (rows: string[]) => readOffer(sdp([...HEAD, ...line(0, 'sendonly'), ...rows])).lines[1]?.use
    const named = [...picture(1, 'sendonly'), 'a=ssrc:5 cname:x']
    assert.deepEqual(
      [asks(named), asks(picture(1, 'sendonly')), asks(named.map((row) => row.replace('VP8', 'H264')))],
      ['camera', 'unused', 'unused'],
    )
  })

  test('negotiates only Opus and the audio level, under the client’s numbers', () => {
    const offer = readOffer(
      sdp([
        ...HEAD,
        ...line(0, 'sendonly'),
        'a=rtpmap:9 G722/8000',
        'a=rtcp-fb:111 transport-cc',
        'a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid',
        'a=extmap:14 urn:ietf:params:rtp-hdrext:ssrc-audio-level',
        'a=ssrc:77 cname:x',
      ]),
    )
    assert.equal(offer.lines[0]?.levelExtension, 14)
    assert.equal(offer.lines[0]?.ssrc, 77)
    const answer = answerTo(offer)
    assert.deepEqual(answer.match(/a=(rtpmap|extmap|rtcp-fb).*/g), [
      'a=rtpmap:111 opus/48000/2',
      'a=extmap:14 urn:ietf:params:rtp-hdrext:ssrc-audio-level',
    ])
  })

  test('negotiates who begins DTLS', () => {
    const asks = (setup: string) => {
      const rows = [...HEAD, ...line(0, 'sendonly')].map((row) => row.replace('actpass', setup))
      return /a=setup:(\w+)/.exec(answerTo(readOffer(sdp(rows))))?.[1]
    }
    assert.deepEqual(['actpass', 'active', 'passive'].map(asks), ['active', 'passive', 'active'])
  })
})

test('SFU-3: the answer names the addresses of the settings in their order, and no others', () => {
  const offer = readOffer(
    sdp([...HEAD, ...line(0, 'sendonly'), 'a=candidate:1 1 udp 1 192.0.2.1 9 typ host']),
  )
  const answer = answerTo(offer)
  assert.deepEqual(answer.match(/a=candidate:.*/g), [
    'a=candidate:1 1 udp 2130706431 198.51.100.7 7882 typ host',
    'a=candidate:2 1 udp 2130706175 2001:db8::7 7882 typ host',
  ])
  assert.match(answer, /a=end-of-candidates/)
})

test('SFU-3: the answer names ports below 1024 only where Chromium accepts them: 80 and 443 at public addresses', () => {
  const offer = readOffer(sdp([...HEAD, ...line(0, 'sendonly')]))
  const home = ['8.8.8.8', '192.168.1.7', '100.64.0.1', 'fd00::7', '2620:fe::fe', '127.0.0.1', '::1']
  const placesOf = (ports: { port: number; tcpPort?: number }) => {
    const answer = writeAnswer(offer, { ...LOCAL, addresses: home, ...ports }, new Map())
    const found = [...answer.matchAll(/^a=candidate:(\d+) 1 (\w+) \d+ (\S+) (\d+) typ/gm)]
    assert.equal(new Set(found.map(([, id]) => id)).size, found.length)
    return found.map(([, , protocol, address, port]) => `${protocol} ${address} ${port}`)
  }
  const all = home.map((address) => `udp ${address} 7882`)
  const web = (protocol: string, port: number) => [
    `${protocol} 8.8.8.8 ${port}`,
    `${protocol} 2620:fe::fe ${port}`,
  ]
  assert.deepEqual(placesOf({ port: 7882, tcpPort: 443 }), [...all, ...web('tcp', 443)])
  assert.deepEqual(placesOf({ port: 443, tcpPort: 80 }), [...web('udp', 443), ...web('tcp', 80)])
  assert.deepEqual(placesOf({ port: 7882, tcpPort: 500 }), all)
  assert.deepEqual(placesOf({ port: 500 }), [])
})

test('VTCP-1: the answer names TCP at public and loopback addresses, and at the first two others', () => {
  const offer = readOffer(sdp([...HEAD, ...line(0, 'sendonly')]))
  const own = ['192.168.1.7', 'fd00::7', '172.17.0.1', '172.18.0.1']
  const publicIps = ['198.51.100.7', '198.51.100.8', '2001:db8::7']
  const addresses = [...publicIps, ...own, '127.0.0.1', '::1']
  const answer = writeAnswer(offer, { ...LOCAL, addresses, publicIps, tcpPort: 7882 }, new Map())
  const named = (protocol: string) =>
    [...answer.matchAll(/ 1 (\w+) \d+ (\S+) 7882 typ/g)]
      .filter(([, its]) => its === protocol)
      .map(([, , at]) => at)
  assert.deepEqual(named('udp'), addresses)
  assert.deepEqual(named('tcp'), [...publicIps, ...own.slice(0, 2), '127.0.0.1', '::1'])
})

function line(mid: number, direction: string): string[] {
  return [
    'm=audio 9 UDP/TLS/RTP/SAVPF 111 9',
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    `a=${direction}`,
    'a=rtpmap:111 opus/48000/2',
    ...TRANSPORT,
  ]
}

function picture(mid: number, direction: string): string[] {
  return [
    'm=video 9 UDP/TLS/RTP/SAVPF 98 96 97 102',
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    `a=${direction}`,
    'a=rtpmap:98 VP8X/90000',
    'a=rtpmap:96 VP8/90000',
    'a=rtcp-fb:96 goog-remb',
    'a=rtcp-fb:96 transport-cc',
    'a=rtcp-fb:96 nack',
    'a=rtcp-fb:96 nack pli',
    'a=rtpmap:97 rtx/90000',
    'a=fmtp:97 apt=96',
    'a=rtpmap:102 H264/90000',
  ]
}

function answerTo(offer: ReturnType<typeof readOffer>): string {
  const slots = offer.lines.filter(({ use }) => use === 'slot')
  return writeAnswer(offer, LOCAL, new Map(slots.map(({ mid }, at) => [mid, { ssrc: 1000 + at, pair: at }])))
}

function sdp(rows: readonly string[]): string {
  return `${rows.join('\r\n')}\r\n`
}
