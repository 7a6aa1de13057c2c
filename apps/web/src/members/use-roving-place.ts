import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { HEADING, type ListLayout, ROW, type Span, topOf } from './list-layout.ts'
import { remInPixels } from './use-list-span.ts'

const PAGE = 10

type Steps = Readonly<Record<string, ((place: number, count: number) => number) | undefined>>

const steps: Steps = {
  ArrowDown: (place) => place + 1,
  ArrowUp: (place) => place - 1,
  PageDown: (place) => place + PAGE,
  PageUp: (place) => place - PAGE,
  Home: () => 0,
  End: (_place, count) => count - 1,
}

/** A long list with one stop for the Tab key: arrows, Home and End go from row to row, also to such that are not drawn yet. */
export function useRovingPlace(scroller: RefObject<HTMLElement | null>, layout: ListLayout, span: Span) {
  const [active, setActive] = useState(0)
  const [hasFocus, setHasFocus] = useState(false)
  const isDue = useRef(false)
  const isDrawn = active >= span.from && active <= span.to

  // Once the row is there, which may be after the list was scrolled to it; also when another row takes its place.
  useEffect(() => {
    const isLost = hasFocus && document.activeElement === document.body
    if (!isDue.current && !isLost) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-place="${active}"]`)
    if (!row) return
    isDue.current = false
    row.focus({ preventScroll: true })
  })

  function onKeyDown(event: KeyboardEvent) {
    const from = placeOf(event.target)
    const step = isPlain(event) ? steps[event.key] : undefined
    if (step === undefined || from === undefined) return
    event.preventDefault()
    const place = Math.max(0, Math.min(layout.count - 1, step(from, layout.count)))
    isDue.current = true
    setActive(place)
    if (scroller.current !== null) reveal(scroller.current, topOf(layout, place))
  }

  return {
    /** Where the Tab key stops. */
    stop: isDrawn ? active : Math.min(span.to, Math.max(span.from, 0)),
    /** The row that has the focus, where it has been scrolled away: it must stay, and the focus with it. */
    kept: hasFocus && !isDrawn && active < layout.count ? active : null,
    handlers: {
      onKeyDown,
      onFocus: ({ target }: FocusEvent) => {
        const place = placeOf(target)
        if (place === undefined) return
        setHasFocus(true)
        if (!isDue.current) setActive(place)
      },
      onBlur: ({ target }: FocusEvent) => {
        // Once it is through: what vanished under the focus has lost it, what is still there has given it away.
        queueMicrotask(() => {
          if (target.isConnected && placeOf(document.activeElement) === undefined) setHasFocus(false)
        })
      },
    },
  }
}

function placeOf(target: EventTarget | null): number | undefined {
  const place = target instanceof HTMLElement ? target.dataset.place : undefined
  return place === undefined ? undefined : Number(place)
}

function isPlain({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return !altKey && !ctrlKey && !metaKey && !shiftKey
}

/** Scrolls as little as brings the row out from below the heading, or up from below the end. */
function reveal(scroller: HTMLElement, top: number): void {
  const rem = remInPixels()
  const highest = (top - HEADING) * rem
  const lowest = (top + ROW) * rem - scroller.clientHeight
  if (scroller.scrollTop > highest) scroller.scrollTop = highest
  if (scroller.scrollTop < lowest) scroller.scrollTop = lowest
}
