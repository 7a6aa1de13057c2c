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

export const Finding = Type.Object({
  facts: Facts,
  /** Whether the file was made anew. */
  isNew: Type.Boolean(),
})
export type Finding = Static<typeof Finding>

/** `any`: a file of whatever kind. `image`: nothing but an image, made to fit, never enlarged. */
export type Wish =
  | { kind: 'any'; claimedType: string }
  | { kind: 'image'; fit: { width: number; height: number } }

/** Work for a child: a file on this machine, whose images are written anew to `outPath`, or one that is read from afar. */
export type Job =
  | { kind: 'local'; path: string; outPath: string; wish: Wish }
  | { kind: 'remote'; sizeBytes: number; claimedType: string }
