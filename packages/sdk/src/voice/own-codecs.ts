/** The codec of each kind of m-line, as SDP names it. */
const CODECS: Readonly<Record<string, RegExp>> = { audio: /^opus\//i, video: /^VP8\//i }

/**
 * Returns the offer with only the codecs that the server forwards: Opus, and VP8 with RTX, which all browsers support. With all
 * codecs of a browser, the offer would exceed the maximum size of a signal. The answer chooses from the remaining ones.
 */
export function withOwnCodecs(sdp: string): string {
  const [head = '', ...lines] = sdp.split(/^(?=m=)/m)
  return head + lines.map(withOwnCodec).join('')
}

function withOwnCodec(line: string): string {
  const kept = payloadTypes(line)
  // An m-line without the codec stays unchanged, and the server refuses it.
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

/** Returns the payload types of the codec and of its RTX. */
function payloadTypes(line: string): ReadonlySet<string> {
  const codec = CODECS[/^m=(\w+)/.exec(line)?.[1] ?? '']
  const own = new Set(
    [...line.matchAll(/^a=rtpmap:(\d+) (\S+)/gm)].flatMap(([, type = '', name = '']) =>
      codec?.test(name) ? [type] : [],
    ),
  )
  const repairs = [...line.matchAll(/^a=fmtp:(\d+) apt=(\d+)/gm)].flatMap(([, type = '', of = '']) =>
    own.has(of) ? [type] : [],
  )
  return new Set([...own, ...repairs])
}
