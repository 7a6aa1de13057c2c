import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'

interface RoomChunkProps {
  /** The scroll container. */
  list: RefObject<HTMLElement | null>
  count: number
  /** Number of rows above these rooms in the list. */
  above: number
  /** True if the rooms are rendered even out of view, for example because one of them is open. */
  isKept: boolean
  children: () => ReactNode
}

/** Sizes from the stylesheet, in pixels at the default font size. */
const ROW_PX = 36
const GAP_PX = 2
/** Distance outside the viewport within which rows are rendered. */
const MARGIN_PX = 600

/** Consecutive rooms. Far out of view they are replaced by a gap of their height, because there may be hundreds. */
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
        // This height includes the users listed in voice rooms.
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
