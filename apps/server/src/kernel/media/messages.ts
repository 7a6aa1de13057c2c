import { type Static, Type } from 'typebox'

/** Messages from the server to a child. */
export type ToChild<Job> =
  | { kind: 'job'; job: Job }
  /** Null if the bytes could not be read. */
  | { kind: 'bytes'; bytes: Uint8Array | null }

/** Messages from a child. It has read an untrusted file, so its messages are validated. */
export const FromChild = Type.Union([
  /** Sent once, before the first job. If the child ends earlier, no job has caused it. */
  Type.Object({ kind: Type.Literal('ready') }),
  /** The apparent type, sent before further processing. It is all that the server knows about the file if the child crashes later. */
  Type.Object({ kind: Type.Literal('type'), contentType: Type.String() }),
  /** Asks for bytes, both ends included. */
  Type.Object({
    kind: Type.Literal('read'),
    start: Type.Integer({ minimum: 0 }),
    end: Type.Integer({ minimum: 0 }),
  }),
  /** The program's own schema validates the result. */
  Type.Object({ kind: Type.Literal('done'), result: Type.Unknown() }),
  Type.Object({
    kind: Type.Literal('refused'),
    code: Type.Enum(['invalid_image', 'image_too_complex']),
  }),
  Type.Object({ kind: Type.Literal('failed'), message: Type.String() }),
])
export type FromChild = Static<typeof FromChild>
