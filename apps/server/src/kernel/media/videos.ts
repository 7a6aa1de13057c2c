import { createRequire } from 'node:module'
import type * as Mediabunny from 'mediabunny'
import { type ByteSource, boundedSource } from './byte-source.ts'
import type { Facts } from './jobs.ts'

// The library's CommonJS build is one file. Loading its 70 ES modules would take 0.07 s longer in each child.
const { ALL_FORMATS, CustomSource, Input }: typeof Mediabunny = createRequire(import.meta.url)('mediabunny')

/** Limits on reading a video's size. An hour of video has an index of a few MiB, at the beginning or the end of the file. */
const LIMITS = { bytes: 64 * 1024 * 1024, reads: 500 }
const CACHE_BYTES = 16 * 1024 * 1024

/** Containers for both audio and video, and their types without a picture. */
const WITHOUT_PICTURE: Readonly<Record<string, string>> = {
  'video/mp4': 'audio/mp4',
  'video/quicktime': 'audio/mp4',
  'video/webm': 'audio/webm',
  'video/ogg': 'audio/ogg',
  'video/matroska': 'audio/matroska',
}

/** Returns the displayed size of a video. An unreadable video keeps its type and has no size. */
export async function measureVideo(source: ByteSource, contentType: string): Promise<Facts> {
  const unknown = { contentType, width: null, height: null, animated: false }
  try {
    const size = await readSize(source)
    if (size === undefined) return { ...unknown, contentType: WITHOUT_PICTURE[contentType] ?? contentType }
    return { ...unknown, ...size }
  } catch {
    return unknown
  }
}

/** Returns undefined for sound without a picture. */
async function readSize(source: ByteSource): Promise<{ width: number; height: number } | undefined> {
  const bounded = boundedSource(source, LIMITS)
  using input = new Input({
    formats: ALL_FORMATS,
    source: new CustomSource({
      getSize: () => bounded.sizeBytes,
      read: (start, end) => bounded.read(start, end),
      maxCacheSize: CACHE_BYTES,
      prefetchProfile: source.isRemote ? 'network' : 'fileSystem',
      handleUnhandledError: () => undefined,
    }),
  })
  const track = await input.getPrimaryVideoTrack()
  if (track === null) return soundOf(await input.getPrimaryAudioTrack())
  const [width, height] = await Promise.all([track.getDisplayWidth(), track.getDisplayHeight()])
  return { width: sideOf(width), height: sideOf(height) }
}

function soundOf(track: Mediabunny.InputAudioTrack | null): undefined {
  if (track === null) throw new Error('there is neither picture nor sound')
}

/** Sides of zero, or of more than a million pixels, are invalid. */
function sideOf(pixels: number): number {
  const side = Math.round(pixels)
  if (!(side > 0 && side < 1_000_000)) throw new Error('the video has no size')
  return side
}
