// Encodes arrays in PostgreSQL's binary format, which the driver passes on unchanged. In text, each quotation mark
// would be escaped here and parsed there: 20 µs and 13 KB of memory for the JSON of one message.

const UUID_OID = 2950
const TEXT_OID = 25
const TIMESTAMPTZ_OID = 1184

const HEADER_BYTES = 20
const LENGTH_BYTES = 4
const UUID_BYTES = 16
const TIME_BYTES = 8
const NULL_LENGTH = -1

/** Positions of each byte in the text of a UUID. */
const BYTES_IN_UUID = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]
const DIGIT_0 = 48
const LETTER_A = 97

/** Encodes ids for a parameter of the type `uuid[]`. */
export function uuidArray(ids: readonly string[]): Buffer {
  const bytes = newArray(UUID_OID, ids.length, ids.length * UUID_BYTES)
  let at = HEADER_BYTES
  for (const id of ids) {
    at = writeUuid(bytes, id, bytes.writeInt32BE(UUID_BYTES, at))
  }
  return bytes
}

/** Writes an id digit by digit: for input this short, a Buffer takes three times as long to parse hex. */
function writeUuid(bytes: Buffer, id: string, at: number): number {
  let end = at
  for (const from of BYTES_IN_UUID) {
    bytes[end] = (digit(id, from) << 4) | digit(id, from + 1)
    end += 1
  }
  return end
}

/** Returns the value of a lower-case hexadecimal digit. */
function digit(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < LETTER_A ? code - DIGIT_0 : code - LETTER_A + 10
}

/** Encodes texts for a parameter of the type `text[]`. */
export function textArray(texts: readonly (string | null)[]): Buffer {
  const lengths = texts.map((text) => (text === null ? NULL_LENGTH : Buffer.byteLength(text)))
  const content = lengths.reduce((sum, length) => sum + Math.max(0, length), 0)
  const bytes = newArray(TEXT_OID, texts.length, content)
  let at = HEADER_BYTES
  for (const [index, text] of texts.entries()) {
    at = bytes.writeInt32BE(lengths[index] ?? NULL_LENGTH, at)
    if (text !== null) at += bytes.write(text, at)
  }
  return bytes
}

/** Milliseconds from 1970 to 2000, the epoch of PostgreSQL's timestamps. */
const EPOCH_MS = Date.UTC(2000)

/** Encodes times (ISO 8601 in UTC) for a parameter of the type `timestamptz[]`. */
export function timeArray(times: readonly string[]): Buffer {
  const bytes = newArray(TIMESTAMPTZ_OID, times.length, times.length * TIME_BYTES)
  let at = HEADER_BYTES
  for (const time of times) {
    at = bytes.writeInt32BE(TIME_BYTES, at)
    const microseconds = (Date.parse(time) - EPOCH_MS) * 1000
    at = bytes.writeInt32BE(Math.floor(microseconds / 2 ** 32), at)
    at = bytes.writeUInt32BE(microseconds >>> 0, at)
  }
  return bytes
}

/** Allocates a one-dimensional array whose first index is 1, with the header that PostgreSQL's array_send writes. */
function newArray(oid: number, count: number, contentBytes: number): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + count * LENGTH_BYTES + contentBytes)
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(1, 4)
  bytes.writeInt32BE(oid, 8)
  bytes.writeInt32BE(count, 12)
  bytes.writeInt32BE(1, 16)
  return bytes
}
