export interface Size {
  readonly width: number
  readonly height: number
}

export interface Area extends Size {
  readonly x: number
  readonly y: number
}

/** How a picture is cut, and how large it is kept at most. */
export interface Cut extends Size {
  /** What the cut-out looks like where it is shown. */
  readonly look: 'tile' | 'banner'
}

/** As large as the server keeps them. */
export const TILE_CUT: Cut = { width: 1024, height: 1024, look: 'tile' }
export const BANNER_CUT: Cut = { width: 1800, height: 600, look: 'banner' }

/** The size of a cut-out: made to fit, never enlarged. */
export function fittedSize(area: Size, { width, height }: Size): Size {
  const scale = Math.min(1, width / area.width, height / area.height)
  return {
    width: Math.max(1, Math.round(area.width * scale)),
    height: Math.max(1, Math.round(area.height * scale)),
  }
}

const QUALITY = 0.92

/**
 * The part of a picture as a picture of its own. Photos stay JPEG; the rest becomes WebP, which may be transparent, or
 * PNG in browsers that cannot write that.
 */
export async function cutPicture(file: Blob, area: Area, cut: Cut): Promise<Blob> {
  const { width, height } = fittedSize(area, cut)
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('this browser draws no pictures')
  const picture = await createImageBitmap(file)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, area.x, area.y, area.width, area.height, 0, 0, width, height)
  picture.close()
  return written(canvas, file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp')
}

function written(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const done = (blob: Blob | null) =>
      blob === null ? reject(new Error('the picture could not be written')) : resolve(blob)
    canvas.toBlob(done, type, QUALITY)
  })
}
