/** Maximum bits per second. VP8 needs about 1.5 million for 720p at 30 frames per second. */
const CAMERA_BITRATE = 1_700_000
const MOTION_BITRATE = 4_000_000
/** Maximum bits per second of a screen without motion. Its text changes rarely, but each change must be sharp at once. */
const TEXT_BITRATE = 2_500_000

/** A simulcast layer: one of several sizes in which a picture is sent, so that each viewer receives one that fits. */
export interface PictureLayer {
  readonly rid: string
  readonly scaleResolutionDownBy: number
  readonly maxBitrate: number
}

/** Layers with heights of 180, 360 and 720 pixels. */
const CAMERA_LAYERS: readonly PictureLayer[] = [
  { rid: 'q', scaleResolutionDownBy: 4, maxBitrate: 150_000 },
  { rid: 'h', scaleResolutionDownBy: 2, maxBitrate: 500_000 },
  { rid: 'f', scaleResolutionDownBy: 1, maxBitrate: CAMERA_BITRATE },
]

export interface PictureShape {
  /** Maximum bits per second of the largest layer. */
  readonly maxBitrate: number
  /** From small to large. */
  readonly layers: readonly PictureLayer[]
  /** Quality to preserve on a slow connection: the frame rate of a game, or the sharpness of a text. */
  readonly degradationPreference: RTCDegradationPreference
}

/** Returns how to encode a camera or a screen, by the content hint of its track. */
export function shapeOf(
  kind: 'camera' | 'screen',
  { contentHint }: Pick<MediaStreamTrack, 'contentHint'>,
): PictureShape {
  if (kind === 'camera')
    return { maxBitrate: CAMERA_BITRATE, layers: CAMERA_LAYERS, degradationPreference: 'balanced' }
  return contentHint === 'motion'
    ? { ...screenShape(MOTION_BITRATE), degradationPreference: 'maintain-framerate' }
    : { ...screenShape(TEXT_BITRATE), degradationPreference: 'maintain-resolution' }
}

/** Returns the layers of a screen. At half the size it is legible on a phone; at a quarter it is not. */
function screenShape(maxBitrate: number) {
  const layers = [
    { rid: 'h', scaleResolutionDownBy: 2, maxBitrate: maxBitrate / 4 },
    { rid: 'f', scaleResolutionDownBy: 1, maxBitrate },
  ]
  return { maxBitrate, layers }
}
