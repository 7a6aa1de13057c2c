import type { Size } from '../transfer/gallery-layout.ts'

/** The zoom of a picture: its scale relative to the fitted size, and the offset of its center from the frame's. */
export interface Zoom {
  readonly scale: number
  readonly x: number
  readonly y: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** The sizes of the frame and of the fitted picture, in CSS pixels. */
export interface Stage {
  readonly frame: Size
  readonly picture: Size
}

export const WHOLE: Zoom = { scale: 1, x: 0, y: 0 }
export const MAX_SCALE = 8
/** The zoom factor of a button or key. */
export const ZOOM_STEP = 1.6

/** Zooms by a factor around a point, which is relative to the center of the frame. */
export function zoomedAt(zoom: Zoom, factor: number, point: Point, stage: Stage): Zoom {
  const scale = clamp(zoom.scale * factor, 1, MAX_SCALE)
  const ratio = scale / zoom.scale
  const x = point.x - (point.x - zoom.x) * ratio
  const y = point.y - (point.y - zoom.y) * ratio
  return withinFrame({ scale, x, y }, stage)
}

export function movedBy(zoom: Zoom, by: Point, stage: Stage): Zoom {
  return withinFrame({ ...zoom, x: zoom.x + by.x, y: zoom.y + by.y }, stage)
}

/** Returns the size at which the picture fits the frame, never enlarged. */
export function fitted(natural: Size, frame: Size): Size {
  const scale = Math.min(1, frame.width / natural.width, frame.height / natural.height)
  return { width: natural.width * scale, height: natural.height * scale }
}

/** Limits the offset: no gap opens inside the frame, and a smaller picture stays centered. */
function withinFrame({ scale, x, y }: Zoom, { frame, picture }: Stage): Zoom {
  const spareX = Math.max(0, (picture.width * scale - frame.width) / 2)
  const spareY = Math.max(0, (picture.height * scale - frame.height) / 2)
  return { scale, x: clamp(x, -spareX, spareX), y: clamp(y, -spareY, spareY) }
}

function clamp(value: number, least: number, most: number): number {
  // Adding 0 turns -0 into 0.
  return Math.min(most, Math.max(least, value)) + 0
}
