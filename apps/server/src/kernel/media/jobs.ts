import { type Static, Type } from 'typebox'

/** Facts about a file. */
export const Facts = Type.Object({
  /** In lower case and without parameters. */
  contentType: Type.String(),
  /** Displayed size of an image or video in pixels. */
  width: Type.Union([Type.Integer(), Type.Null()]),
  height: Type.Union([Type.Integer(), Type.Null()]),
  /** True for images with more than one frame. */
  animated: Type.Boolean(),
})
export type Facts = Static<typeof Facts>

export const Finding = Type.Object({
  facts: Facts,
  /** True if the file was re-encoded. */
  isNew: Type.Boolean(),
})
export type Finding = Static<typeof Finding>

/** The expected file. `any`: a file of any type. `image`: only an image, scaled down to fit. */
export type ExpectedFile =
  | { kind: 'any'; claimedType: string }
  | { kind: 'image'; fit: { width: number; height: number } }

/** A job for a child: a local file, whose images are re-encoded to `outPath`, or a remote one. */
export type Job =
  | { kind: 'local'; path: string; outPath: string; expected: ExpectedFile }
  | { kind: 'remote'; sizeBytes: number; claimedType: string }
