/** The codecs of each kind of m-line, as SDP names them. */
const CODECS: Readonly<Record<string, RegExp>> = { audio: /^opus\//i, video: /^(?:VP8|VP9|H264|AV1)\//i }
/** Parameters of profiles that the server does not forward. */
const OTHER_PROFILE = /[ ;](?:profile-id=[1-9]|profile=[1-9]|packetization-mode=0|profile-level-id=(?!42e0))/i

/**
 * Returns the offer with only the codecs that the server forwards, and their RTX. With all codecs and profiles of a
 * browser, the offer would exceed the maximum size of a signal. The answer chooses from the remaining codecs.
 */
export function withOwnCodecs(sdp: string): string {
  const [head = '', ...lines] = sdp.split(/^(?=m=)/m)
  return head + lines.map(withOwnCodec).join('')
}

function withOwnCodec(line: string): string {
  const kept = payloadTypes(line)
  // An m-line without any of these codecs stays unchanged, and the server refuses it.
  if (kept.size === 0) return line
  return line
    .replace(/^(m=\w+ \S+ \S+)[ \d]*/, (_, start: string) => [start, ...kept].join(' '))
    .split(/(?<=\n)/)
    .filter((row) => {
      const type = /^a=(?:rtpmap|fmtp|rtcp-fb):(\d+) /.exec(row)?.[1]
      return type === undefined || kept.has(type)
    })
    .join('')
}

/** Returns the payload types of the codecs and of their RTX. */
function payloadTypes(line: string): ReadonlySet<string> {
  const codec = CODECS[/^m=(\w+)/.exec(line)?.[1] ?? '']
  const others = new Set(
    [...line.matchAll(/^a=fmtp:(\d+).*/gm)].flatMap(([row, type = '']) =>
      OTHER_PROFILE.test(row) ? [type] : [],
    ),
  )
  const own = new Set(
    [...line.matchAll(/^a=rtpmap:(\d+) (\S+)/gm)].flatMap(([, type = '', name = '']) =>
      codec?.test(name) && !others.has(type) ? [type] : [],
    ),
  )
  const repairs = [...line.matchAll(/^a=fmtp:(\d+) apt=(\d+)/gm)].flatMap(([, type = '', of = '']) =>
    own.has(of) ? [type] : [],
  )
  return new Set([...own, ...repairs])
}
