import type { Size } from './gallery-layout.ts'

/** How a picture stands in its frame: how much larger than fitting, and how far its middle is from the frame's. */
export interface Zoom {
  readonly scale: number
  readonly x: number
  readonly y: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** The frame, and the picture as it fits in there; both in CSS pixels. */
export interface Stage {
  readonly frame: Size
  readonly picture: Size
}

export const WHOLE: Zoom = { scale: 1, x: 0, y: 0 }
export const MAX_SCALE = 8
/** What one press of a button or a key changes. */
export const ZOOM_STEP = 1.6

/** Larger or smaller by a factor, with what is under the point staying there. The point counts from the frame's middle. */
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

/** The size at which the picture fits the frame, never larger than it is. */
export function fitted(natural: Size, frame: Size): Size {
  const scale = Math.min(1, frame.width / natural.width, frame.height / natural.height)
  return { width: natural.width * scale, height: natural.height * scale }
}

/** No edge of the picture comes further in than the frame's, and what is smaller stays in the middle. */
function withinFrame({ scale, x, y }: Zoom, { frame, picture }: Stage): Zoom {
  const spareX = Math.max(0, (picture.width * scale - frame.width) / 2)
  const spareY = Math.max(0, (picture.height * scale - frame.height) / 2)
  return { scale, x: clamp(x, -spareX, spareX), y: clamp(y, -spareY, spareY) }
}

function clamp(value: number, least: number, most: number): number {
  // Adding zero makes a plain one of its negative.
  return Math.min(most, Math.max(least, value)) + 0
}
