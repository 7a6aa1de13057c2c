import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react'
import { type ListLayout, rowsIn, type Span } from './list-layout.ts'

/** Returns the rows to render for the current scroll position and size of the list. */
export function useListSpan(scroller: RefObject<HTMLElement | null>, layout: ListLayout): Span {
  const [span, setSpan] = useState<Span>({ from: 0, to: -1 })

  const measure = useCallback(() => {
    const { current } = scroller
    if (current === null) return
    const top = current.scrollTop / remInPixels()
    const next = rowsIn(layout, top, top + current.clientHeight / remInPixels())
    setSpan((before) => (before.from === next.from && before.to === next.to ? before : next))
  }, [scroller, layout])

  useLayoutEffect(measure, [measure])
  useEffect(() => {
    const { current } = scroller
    if (current === null) return
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    current.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      current.removeEventListener('scroll', measure)
    }
  }, [scroller, measure])

  return span
}

/** Returns the root font size, which users can change. */
export function remInPixels(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}
