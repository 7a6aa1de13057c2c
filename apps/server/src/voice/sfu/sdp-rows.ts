/** RFC 5761: these payload types cannot be distinguished from RTCP on the same port. */
const RTCP_PAYLOAD_TYPES = { first: 64, last: 95 }

/** Returns the value of the first row with this attribute. */
export function attribute(rows: readonly string[], name: string): string | undefined {
  return attributes(rows, name)[0]
}

export function attributes(rows: readonly string[], name: string): string[] {
  const start = `a=${name}:`
  return rows.filter((row) => row.startsWith(start)).map((row) => row.slice(start.length))
}

/**
 * Returns the usable payload types of a codec, in the order of the offer.
 * @param encoding as in a=rtpmap, such as `opus/48000/2`; its case does not matter
 */
export function payloadTypesOf(rows: readonly string[], encoding: string): number[] {
  return attributes(rows, 'rtpmap').flatMap((value) => {
    const [, type = '', found = ''] = /^(\d{1,3}) (\S+)/.exec(value) ?? []
    const isMeant = found.toLowerCase() === encoding.toLowerCase()
    return isMeant && isPayloadType(Number(type)) ? [Number(type)] : []
  })
}

function isPayloadType(type: number): boolean {
  const { first, last } = RTCP_PAYLOAD_TYPES
  return type <= 127 && !(type >= first && type <= last)
}
