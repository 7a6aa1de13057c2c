import sharp, { type Metadata, type Sharp } from 'sharp'
import type { Facts } from './jobs.ts'

/** Pixels of all frames together. A decoder may hold four bytes for each. */
export const MAX_PIXELS = 100_000_000
export const MAX_FRAMES = 1000
/** Largest side of a WebP. */
const MAX_WEBP_SIDE = 16_383
const MAX_SIDE = 32_767

/** The reason a picture is refused. */
export class ImageRefusal extends Error {
  readonly code: 'invalid_image' | 'image_too_complex'

  constructor(code: ImageRefusal['code'], options?: ErrorOptions) {
    super(code, options)
    this.code = code
  }
}

interface Format {
  /** The format's name in sharp. */
  decoder: Metadata['format']
  outType: string
  maxSide: number
  encode(image: Sharp, metadata: Metadata): Sharp
}

/** AVIF becomes WebP: encoding AVIF takes a hundred times as long. */
const FORMATS: Readonly<Record<string, Format>> = {
  'image/png': {
    decoder: 'png',
    outType: 'image/png',
    maxSide: MAX_SIDE,
    encode: (image) => image.png(),
  },
  'image/jpeg': {
    decoder: 'jpeg',
    outType: 'image/jpeg',
    maxSide: MAX_SIDE,
    encode: (image, { chromaSubsampling = '4:2:0' }) =>
      image.jpeg({ quality: 88, chromaSubsampling: chromaSubsampling === '4:4:4' ? '4:4:4' : '4:2:0' }),
  },
  'image/webp': { decoder: 'webp', outType: 'image/webp', maxSide: MAX_WEBP_SIDE, encode: encodeWebp },
  'image/gif': {
    decoder: 'gif',
    outType: 'image/gif',
    maxSide: MAX_SIDE,
    // A GIF has few colours already. Dithering takes three times as long, and changes sharp edges.
    encode: (image) => image.gif({ effort: 1, dither: 0 }),
  },
  'image/avif': { decoder: 'heif', outType: 'image/webp', maxSide: MAX_WEBP_SIDE, encode: encodeWebp },
}

/** Returns whether pictures of the type are decoded and re-encoded. */
export function isImage(contentType: string): boolean {
  return Object.hasOwn(FORMATS, contentType)
}

export interface ImageJob {
  path: string
  outPath: string
  contentType: string
  fit?: { width: number; height: number }
}

/**
 * Decodes and re-encodes a picture: upright, in sRGB, with all frames, delays and loops, and without other data of the
 * file.
 * @throws ImageRefusal
 */
export async function remakeImage({ path, outPath, contentType, fit }: ImageJob): Promise<Facts> {
  const format = FORMATS[contentType]
  if (format === undefined) throw new ImageRefusal('invalid_image')
  const metadata = await readMetadata(path)
  if (metadata.format !== format.decoder) throw new ImageRefusal('invalid_image')
  checkComplexity(metadata, format)
  const animated = (metadata.pages ?? 1) > 1
  // Animations are not rotated: libvips cannot do so, and cameras take none.
  const image = sharp(path, { ...OPTIONS, limitInputPixels: MAX_PIXELS, autoOrient: !animated })
  if (fit !== undefined) image.resize({ ...fit, fit: 'inside', withoutEnlargement: true })
  const { width, height, pageHeight } = await format
    .encode(image, metadata)
    .toFile(outPath)
    .catch((error: unknown) => {
      throw new ImageRefusal('invalid_image', { cause: error })
    })
  return {
    contentType: format.outType,
    width,
    height: pageHeight ?? height,
    animated,
  }
}

/** Truncated files are refused; errors that decoders can repair are not. */
const OPTIONS = { animated: true, failOn: 'error' } as const

function encodeWebp(image: Sharp, { pages = 1 }: Metadata): Sharp {
  return image.webp({ quality: 88, effort: pages > 1 ? 2 : 4 })
}

async function readMetadata(path: string): Promise<Metadata> {
  try {
    return await sharp(path, { ...OPTIONS, limitInputPixels: false }).metadata()
  } catch (error) {
    throw new ImageRefusal('invalid_image', { cause: error })
  }
}

function checkComplexity(
  { width, height, pages = 1, pageHeight = height }: Metadata,
  { maxSide }: Format,
): void {
  const isTooComplex =
    width * pageHeight * pages > MAX_PIXELS || pages > MAX_FRAMES || Math.max(width, pageHeight) > maxSide
  if (isTooComplex) throw new ImageRefusal('image_too_complex')
}
