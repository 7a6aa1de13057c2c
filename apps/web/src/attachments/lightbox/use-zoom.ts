import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Size } from '../transfer/gallery-layout.ts'
import { listenToGestures } from './gestures.ts'
import { fitted, movedBy, type Stage, WHOLE, type Zoom, zoomedAt } from './zoom.ts'

interface ZoomOptions {
  frame: RefObject<HTMLElement | null>
  /** The natural size of the picture; null until known. */
  natural: Size | null
  onSwipe: (direction: 1 | -1) => void
  onDismiss: () => void
}

interface Zooming {
  readonly zoom: Zoom
  /** Zooms around the center. */
  readonly zoomBy: (factor: number) => void
  readonly reset: () => void
}

const CENTRE = { x: 0, y: 0 }
const TOGGLED_SCALE = 2.5

/** Zooms and moves a picture by wheel, touch, mouse and buttons. */
export function useZoom({ frame, natural, onSwipe, onDismiss }: ZoomOptions): Zooming {
  const [zoom, setZoom] = useState(WHOLE)
  const latest = useRef({ zoom, onSwipe, onDismiss })
  latest.current = { zoom, onSwipe, onDismiss }

  const stage = (): Stage => {
    const { clientWidth: width = 1, clientHeight: height = 1 } = frame.current ?? {}
    return {
      frame: { width, height },
      picture: fitted(natural ?? { width: 1, height: 1 }, { width, height }),
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: `stage` is a new function on every render but only depends on these
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    return listenToGestures(element, {
      zoom: (factor, point) => setZoom((before) => zoomedAt(before, factor, point, stage())),
      move: (by) => setZoom((before) => movedBy(before, by, stage())),
      swipe: (direction) => {
        if (latest.current.zoom.scale === 1) latest.current.onSwipe(direction)
      },
      toggle: (point) =>
        setZoom((before) => (before.scale > 1 ? WHOLE : zoomedAt(before, TOGGLED_SCALE, point, stage()))),
      dismiss: () => latest.current.onDismiss(),
    })
  }, [frame, natural])

  return {
    zoom,
    zoomBy: (factor) => setZoom((before) => zoomedAt(before, factor, CENTRE, stage())),
    reset: () => setZoom(WHOLE),
  }
}
