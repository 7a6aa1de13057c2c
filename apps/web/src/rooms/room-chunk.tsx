import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'

interface RoomChunkProps {
  /** What scrolls. */
  list: RefObject<HTMLElement | null>
  count: number
  /** How many rows stand above it. */
  above: number
  /** It stays wherever the reader scrolls: what is in it is open, or has the focus. */
  isKept: boolean
  children: () => ReactNode
}

/** As the stylesheet has them, in pixels where nobody changed the size of texts. */
const ROW_PX = 36
const GAP_PX = 2
/** So far out of view rows are there already. */
const MARGIN_PX = 600

/** Rooms that stand beneath each other. Far from what is in view they are a gap of their height: there may be hundreds. */
export function RoomChunk({ list, count, above, isKept, children }: RoomChunkProps) {
  const box = useRef<HTMLUListElement>(null)
  const height = useRef(count * (ROW_PX + GAP_PX) - GAP_PX)
  const [isNear, setIsNear] = useState(() => above * (ROW_PX + GAP_PX) < window.innerHeight)
  const isShown = isNear || isKept

  useEffect(() => {
    if (box.current === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1)
        if (entry === undefined) return
        // With those who talk in its rooms.
        height.current = entry.boundingClientRect.height
        setIsNear(entry.isIntersecting)
      },
      { root: list.current, rootMargin: `${MARGIN_PX}px 0px` },
    )
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [list])

  return (
    <ul
      ref={box}
      style={isShown ? undefined : { height: height.current }}
      aria-hidden={!isShown || undefined}
    >
      {isShown && children()}
    </ul>
  )
}
