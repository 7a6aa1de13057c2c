import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface TimelineScroll {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly list: RefObject<HTMLOListElement | null>
  readonly atBottom: boolean
  readonly onScroll: () => void
  readonly scrollToBottom: () => void
}

interface Edges {
  onNearTop: () => void
  onNearBottom: () => void
}

/** Within this of the end one reads along: what comes is followed. */
const BOTTOM_PX = 48
/** So far before an edge the next page is fetched, to be there when the reader is. */
const EDGE_PX = 900

/**
 * Keeps the reader's place in a list that grows at both ends: at the end it follows, elsewhere the row at the
 * top of the view stays where it is. By hand, because not all browsers anchor scrolling, and none at the top.
 */
export function useTimelineScroll({ onNearTop, onNearBottom }: Edges): TimelineScroll {
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const followed = useRef(true)
  const anchor = useRef<Anchor | null>(null)
  const seen = useRef('')
  const [atBottom, setAtBottom] = useState(true)

  const keepPlace = useCallback(() => {
    const box = scroller.current
    if (box === null || list.current === null) return
    if (followed.current) box.scrollTop = box.scrollHeight
    else if (anchor.current !== null) restore(box, list.current, anchor.current)
    seen.current = shapeOf(box)
  }, [])

  const onScroll = useCallback(() => {
    const box = scroller.current
    if (box === null || list.current === null) return
    // Told late of what was done here, when the sizes are others already: it was not the reader who left the end.
    if (followed.current && seen.current !== shapeOf(box)) return keepPlace()
    const below = box.scrollHeight - box.scrollTop - box.clientHeight
    followed.current = below < BOTTOM_PX
    anchor.current = findAnchor(box, list.current)
    setAtBottom(followed.current)
    if (box.scrollTop < EDGE_PX) onNearTop()
    if (below < EDGE_PX) onNearBottom()
  }, [onNearTop, onNearBottom, keepPlace])

  const scrollToBottom = useCallback(() => {
    followed.current = true
    setAtBottom(true)
    keepPlace()
  }, [keepPlace])

  // After every change of what is shown, before it is painted.
  useLayoutEffect(keepPlace)

  useEffect(() => {
    const observer = new ResizeObserver(keepPlace)
    for (const element of [scroller.current, list.current]) if (element !== null) observer.observe(element)
    return () => observer.disconnect()
  }, [keepPlace])

  return { scroller, list, atBottom, onScroll, scrollToBottom }
}

function shapeOf({ clientHeight, scrollHeight }: HTMLElement): string {
  return `${clientHeight} of ${scrollHeight}`
}

/** A row and how far below the top of the view it begins. */
interface Anchor {
  readonly row: string
  readonly offset: number
}

function findAnchor(box: HTMLElement, list: HTMLElement): Anchor | null {
  const top = box.getBoundingClientRect().top
  for (const row of rowsOf(list)) {
    const { top: rowTop, bottom } = row.getBoundingClientRect()
    if (bottom > top) return { row: row.dataset.row ?? '', offset: rowTop - top }
  }
  return null
}

function restore(box: HTMLElement, list: HTMLElement, { row, offset }: Anchor): void {
  const element = rowsOf(list).find((candidate) => candidate.dataset.row === row)
  if (element === undefined) return
  const moved = element.getBoundingClientRect().top - box.getBoundingClientRect().top - offset
  if (Math.abs(moved) > 0.5) box.scrollTop += moved
}

function rowsOf(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[data-row]')]
}
