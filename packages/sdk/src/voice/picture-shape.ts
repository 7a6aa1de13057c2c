/** Bits per second. 720p at 30 frames needs about 1.5 million with VP8. */
const CAMERA_BITRATE = 1_700_000
const MOTION_BITRATE = 4_000_000
/** Text has few changes, but each of them must be sharp at once. */
const TEXT_BITRATE = 2_500_000

interface PictureShape {
  readonly maxBitrate: number
  /** Quality that a slow connection keeps: the frames of a game, or the letters of a text. */
  readonly degradationPreference: RTCDegradationPreference
}

/** Returns how to encode a camera or a screen, by the content hint of its track. */
export function shapeOf(
  kind: 'camera' | 'screen',
  { contentHint }: Pick<MediaStreamTrack, 'contentHint'>,
): PictureShape {
  if (kind === 'camera') return { maxBitrate: CAMERA_BITRATE, degradationPreference: 'balanced' }
  return contentHint === 'motion'
    ? { maxBitrate: MOTION_BITRATE, degradationPreference: 'maintain-framerate' }
    : { maxBitrate: TEXT_BITRATE, degradationPreference: 'maintain-resolution' }
}
