import { OPUS_PAYLOAD_TYPE } from './rtp.ts'

/** The common transport of all lines, as described by either side. */
interface Transport {
  readonly rows: readonly string[]
}

const HEAD = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0']

/**
 * Converts the native library's offer for the server: one line to send and one for each slot, where the library has a
 * single line for all.
 */
export function offerOf(native: string, { slots, ssrc }: { slots: number; ssrc: number }): string {
  const { rows } = transportOf(native)
  const mids = Array.from({ length: slots + 1 }, (_, mid) => String(mid))
  return sdp([
    ...HEAD,
    `a=group:BUNDLE ${mids.join(' ')}`,
    ...mids.flatMap((mid) => [
      ...audioRows(mid, mid === '0' ? 'sendonly' : 'recvonly'),
      ...rows,
      ...(mid === '0' ? [`a=ssrc:${ssrc} cname:foyer`] : []),
    ]),
  ])
}

/** Converts the server's answer for the native library. */
export function nativeAnswerOf(answer: string): string {
  return sdp([...HEAD, 'a=group:BUNDLE 0', ...audioRows('0', 'sendrecv'), ...transportOf(answer).rows])
}

/** Maps the streams in the server's packets to their slots. */
export function slotStreamsOf(answer: string): Map<number, number> {
  const slots = answer.split(/^m=/m).slice(2)
  return new Map(
    slots.flatMap((lines, slot) => {
      const ssrc = /^a=ssrc:(\d+)/m.exec(lines)?.[1]
      return ssrc === undefined ? [] : [[Number(ssrc), slot] as const]
    }),
  )
}

function audioRows(mid: string, direction: string): string[] {
  return [
    `m=audio 9 UDP/TLS/RTP/SAVPF ${OPUS_PAYLOAD_TYPE}`,
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    `a=${direction}`,
    'a=rtcp-mux',
    `a=rtpmap:${OPUS_PAYLOAD_TYPE} opus/48000/2`,
  ]
}

/** Takes each kind of row once, except candidates, because bundled lines repeat them. */
function transportOf(description: string): Transport {
  const rows = description.split(/\r?\n/)
  const first = ['ice-ufrag', 'ice-pwd', 'fingerprint', 'setup'].flatMap(
    (name) => rows.find((row) => row.startsWith(`a=${name}:`)) ?? [],
  )
  const candidates = rows.filter((row) => row.startsWith('a=candidate:'))
  return { rows: [...first, ...new Set(candidates)] }
}

function sdp(rows: readonly string[]): string {
  return `${rows.join('\r\n')}\r\n`
}
