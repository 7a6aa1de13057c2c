/**
 * The offer with only VP8 in its video lines, which all browsers and the server have. With all codecs of a browser, it would
 * be larger than a signal may be. The server's answer then chooses from these.
 */
export function withOnlyVp8(sdp: string): string {
  const [head = '', ...lines] = sdp.split(/^(?=m=)/m)
  return head + lines.map((line) => (line.startsWith('m=video ') ? onlyVp8(line) : line)).join('')
}

function onlyVp8(line: string): string {
  const kept = payloadTypes(line)
  // Without VP8, the line stays as it is, and the server refuses it.
  if (kept.size === 0) return line
  return line
    .replace(/^(m=video \S+ \S+)[ \d]*/, (_, start: string) => [start, ...kept].join(' '))
    .split(/(?<=\n)/)
    .filter((row) => {
      const type = /^a=(?:rtpmap|fmtp|rtcp-fb):(\d+) /.exec(row)?.[1]
      return type === undefined || kept.has(type)
    })
    .join('')
}

/** Returns the payload types of VP8 and of its retransmissions. */
function payloadTypes(line: string): ReadonlySet<string> {
  const vp8 = new Set([...line.matchAll(/^a=rtpmap:(\d+) VP8\//gim)].flatMap(([, type]) => type ?? []))
  const repairs = [...line.matchAll(/^a=fmtp:(\d+) apt=(\d+)/gm)].flatMap(([, type = '', of = '']) =>
    vp8.has(of) ? [type] : [],
  )
  return new Set([...vp8, ...repairs])
}
