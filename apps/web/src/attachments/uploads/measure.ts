import type { Size } from '../transfer/gallery-layout.ts'
import { kindOf } from '../transfer/kinds.ts'

/** Measures a local picture or video, after rotation. Returns null if this browser cannot read a size. */
export async function measure(file: File, preview: string): Promise<Size | null> {
  const kind = kindOf(file.type)
  if (kind === 'image') return measureImage(preview)
  return kind === 'video' ? measureVideo(preview) : null
}

function measureImage(preview: string): Promise<Size | null> {
  const image = new Image()
  const { promise, resolve } = Promise.withResolvers<Size | null>()
  image.onload = () => resolve({ width: image.naturalWidth, height: image.naturalHeight })
  image.onerror = () => resolve(null)
  image.src = preview
  return promise
}

function measureVideo(preview: string): Promise<Size | null> {
  const video = document.createElement('video')
  const { promise, resolve } = Promise.withResolvers<Size | null>()
  // A video with only an audio track measures zero.
  video.onloadedmetadata = () =>
    resolve(video.videoWidth === 0 ? null : { width: video.videoWidth, height: video.videoHeight })
  video.onerror = () => resolve(null)
  video.preload = 'metadata'
  video.src = preview
  return promise.finally(() => {
    video.onerror = null
    video.removeAttribute('src')
    video.load()
  })
}
