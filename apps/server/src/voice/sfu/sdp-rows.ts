import { isRtcpType } from './rtp-packet.ts'

/** Returns the value of the first row with this attribute. */
export function attribute(rows: readonly string[], name: string): string | undefined {
  return attributes(rows, name)[0]
}

export function attributes(rows: readonly string[], name: string): string[] {
  const start = `a=${name}:`
  return rows.filter((row) => row.startsWith(start)).map((row) => row.slice(start.length))
}

/**
 * Returns the values of an attribute such as a=rtpmap by usable payload type, in the order of the offer. The first value of
 * each type counts, so that a hostile offer gains nothing by repeating rows.
 */
export function valuesByType(rows: readonly string[], name: string): Map<number, string> {
  const values = new Map<number, string>()
  for (const row of attributes(rows, name)) {
    const [, digits, value = ''] = /^(\d{1,3}) (.*)/.exec(row) ?? []
    const type = Number(digits)
    if (isPayloadType(type) && !values.has(type)) values.set(type, value)
  }
  return values
}

/** Returns the encoding of a value of a=rtpmap in lower case, such as `opus/48000/2`. */
export function encodingIn(value: string): string {
  return value.split(' ', 1).join().toLowerCase()
}

/** Returns false also for types that cannot be distinguished from RTCP on the same port. */
function isPayloadType(type: number): boolean {
  return type <= 127 && !isRtcpType(type)
}
