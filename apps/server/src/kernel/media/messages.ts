import { type Static, Type } from 'typebox'

/** From the server to a child. */
export type ToChild<Job> =
  | { kind: 'job'; job: Job }
  /** Null when they could not be read. */
  | { kind: 'bytes'; bytes: Uint8Array | null }

/** What a child says. It has looked at a stranger's file: what it says is checked too. */
export const FromChild = Type.Union([
  /** Sent once, before the first job. Whatever ends the child earlier is no job's fault. */
  Type.Object({ kind: Type.Literal('ready') }),
  /** What the file seems to be, before it is looked at more closely: all that is known should the child not survive that. */
  Type.Object({ kind: Type.Literal('type'), contentType: Type.String() }),
  /** Asks for bytes, both ends included. */
  Type.Object({
    kind: Type.Literal('read'),
    start: Type.Integer({ minimum: 0 }),
    end: Type.Integer({ minimum: 0 }),
  }),
  /** The result is checked by the program's own schema. */
  Type.Object({ kind: Type.Literal('done'), result: Type.Unknown() }),
  Type.Object({
    kind: Type.Literal('refused'),
    code: Type.Enum(['invalid_image', 'image_too_complex']),
  }),
  Type.Object({ kind: Type.Literal('failed'), message: Type.String() }),
])
export type FromChild = Static<typeof FromChild>
