import { type Static, Type } from 'typebox'

/** What a file was found to be. */
export const Facts = Type.Object({
  /** In small letters and without parameters. */
  contentType: Type.String(),
  /** Pixels of an image or a video, as it is shown. */
  width: Type.Union([Type.Integer(), Type.Null()]),
  height: Type.Union([Type.Integer(), Type.Null()]),
  /** More than one picture: of images only. */
  animated: Type.Boolean(),
})
export type Facts = Static<typeof Facts>

/** `any`: a file of whatever kind. `image`: nothing but an image, made to fit, never enlarged. */
export type Wish =
  | { kind: 'any'; claimedType: string }
  | { kind: 'image'; fit: { width: number; height: number } }

/** Work for a child: a file on this machine, whose images are written anew to `outPath`, or one that is read from afar. */
export type Job =
  | { kind: 'local'; path: string; outPath: string; wish: Wish }
  | { kind: 'remote'; sizeBytes: number; claimedType: string }

export type ToChild =
  | { kind: 'job'; job: Job }
  /** Null when they could not be read. */
  | { kind: 'bytes'; bytes: Uint8Array | null }

/** What a child ends itself with when it has taken too much memory. Nobody else sends it, and Node does nothing with it. */
export const TOO_LARGE_SIGNAL = 'SIGUSR2'

/** What a child says. It has looked at a stranger's file: what it says is checked too. */
export const FromChild = Type.Union([
  /** What the file seems to be, before it is looked at more closely: all that is known should the child not survive that. */
  Type.Object({ kind: Type.Literal('type'), contentType: Type.String() }),
  /** Asks for bytes, both ends included. */
  Type.Object({
    kind: Type.Literal('read'),
    start: Type.Integer({ minimum: 0 }),
    end: Type.Integer({ minimum: 0 }),
  }),
  Type.Object({ kind: Type.Literal('done'), facts: Facts, isNew: Type.Boolean() }),
  Type.Object({
    kind: Type.Literal('refused'),
    code: Type.Enum(['invalid_image', 'image_too_complex']),
  }),
  Type.Object({ kind: Type.Literal('failed'), message: Type.String() }),
])
export type FromChild = Static<typeof FromChild>
