import type { PictureCodec } from '@foyer/protocol/voice'

/** The picture that a codec is chosen for. */
export interface CodedPicture {
  readonly kind: 'camera' | 'screen'
  readonly contentHint: string
}

/** Codecs for text, the best first: AV1 has coding tools for screen content. */
const FOR_TEXT: readonly PictureCodec[] = ['AV1', 'VP9', 'VP8']
/** Codecs for moving pictures, with and without hardware for H.264. In software, better codecs cost more CPU than VP8. */
const IN_HARDWARE: readonly PictureCodec[] = ['H264', 'VP8']
const IN_SOFTWARE: readonly PictureCodec[] = ['VP8']
/** Without these parameters, Chromium looks for hardware of another packetization mode, and finds none. */
const H264 = 'video/H264;level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f'
const CAMERA = { contentType: H264, width: 1280, height: 720, framerate: 30, bitrate: 1_700_000 }

/**
 * Chooses the codec of a picture from the allowed codecs. Returns undefined if none of them is suitable.
 * @param hasHardware returns whether this device encodes H.264 in hardware
 */
export async function chooseCodec(
  { kind, contentHint }: CodedPicture,
  allowed: readonly PictureCodec[],
  hasHardware: () => Promise<boolean>,
): Promise<PictureCodec | undefined> {
  const isText = kind === 'screen' && contentHint !== 'motion'
  if (isText) return FOR_TEXT.find((codec) => allowed.includes(codec))
  const isHardwareOfUse = allowed.includes('H264') && (await hasHardware())
  const wanted = isHardwareOfUse ? IN_HARDWARE : IN_SOFTWARE
  return wanted.find((codec) => allowed.includes(codec))
}

/** Returns whether the browser says that it encodes H.264 in hardware. */
export async function encodesInHardware(): Promise<boolean> {
  try {
    const { mediaCapabilities } = globalThis.navigator ?? {}
    const info = await mediaCapabilities?.encodingInfo({ type: 'webrtc', video: CAMERA })
    return info?.powerEfficient === true
  } catch {
    return false
  }
}
