import { randomBytes } from 'node:crypto'
import type { IceCredentials } from './stun-questions.ts'

/**
 * Returns a minimal SDP offer, with one audio section to send and one to receive. It only serves to get an answer: no
 * media follows.
 */
export function writeOffer(): { sdp: string; ufrag: string } {
  const ufrag = randomBytes(4).toString('hex')
  const fingerprint = randomBytes(32).toString('hex').toUpperCase().match(/../g)?.join(':')
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0 1',
    ...['sendonly', 'recvonly'].flatMap((direction, mid) => [
      'm=audio 9 UDP/TLS/RTP/SAVPF 111',
      'c=IN IP4 0.0.0.0',
      `a=mid:${mid}`,
      `a=${direction}`,
      'a=rtcp-mux',
      'a=rtpmap:111 opus/48000/2',
      `a=ice-ufrag:${ufrag}`,
      `a=ice-pwd:${randomBytes(16).toString('hex')}`,
      `a=fingerprint:sha-256 ${fingerprint}`,
      'a=setup:actpass',
    ]),
    '',
  ]
  return { sdp: lines.join('\r\n'), ufrag }
}

export interface AnswerFacts {
  candidates: { protocol: 'udp' | 'tcp'; address: string; port: number }[]
  ice: IceCredentials
}

/** Reads the addresses in an answer, and the ICE credentials for checks of these addresses. */
export function readAnswer(sdp: string, localUfrag: string): AnswerFacts {
  const remoteUfrag = /^a=ice-ufrag:(.+?)\r?$/m.exec(sdp)?.[1] ?? ''
  const remotePassword = /^a=ice-pwd:(.+?)\r?$/m.exec(sdp)?.[1] ?? ''
  const found = [...sdp.matchAll(/^a=candidate:\S+ 1 (udp|tcp) \d+ (\S+) (\d+) typ host/gim)]
  const places = new Map(
    found.map(([, name = '', address = '', port = '']) => {
      const protocol = name.toLowerCase() === 'tcp' ? ('tcp' as const) : ('udp' as const)
      return [`${protocol} ${address} ${port}`, { protocol, address, port: Number(port) }]
    }),
  )
  return { candidates: [...places.values()], ice: { localUfrag, remoteUfrag, remotePassword } }
}
