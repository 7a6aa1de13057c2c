export interface Size {
  readonly width: number
  readonly height: number
}

export interface Area extends Size {
  readonly x: number
  readonly y: number
}

/** The aspect ratio and maximum size of a cropped picture, in pixels. */
export interface Cut extends Size {
  /** The displayed shape. */
  readonly look: 'tile' | 'banner'
}

// The sizes stored by the server.
export const TILE_CUT: Cut = { width: 1024, height: 1024, look: 'tile' }
export const BANNER_CUT: Cut = { width: 1800, height: 600, look: 'banner' }

/** Returns the size of a cropped area, scaled down to fit but never up. */
export function fittedSize(area: Size, { width, height }: Size): Size {
  const scale = Math.min(1, width / area.width, height / area.height)
  return {
    width: Math.max(1, Math.round(area.width * scale)),
    height: Math.max(1, Math.round(area.height * scale)),
  }
}

const QUALITY = 0.92

/**
 * Crops a picture. JPEG stays JPEG. Other formats become WebP, which can be transparent, or PNG in browsers that cannot encode
 * WebP.
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
  return encoded(canvas, file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp')
}

function encoded(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const done = (blob: Blob | null) =>
      blob === null ? reject(new Error('the picture could not be written')) : resolve(blob)
    canvas.toBlob(done, type, QUALITY)
  })
}
