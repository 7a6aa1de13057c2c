import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { HEADING, type ListLayout, ROW, type Span, topOf } from './list-layout.ts'
import { remInPixels } from './use-list-span.ts'

const PAGE = 10

type Steps = Readonly<Record<string, ((index: number, count: number) => number) | undefined>>

const steps: Steps = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  PageDown: (index) => index + PAGE,
  PageUp: (index) => index - PAGE,
  Home: () => 0,
  End: (_index, count) => count - 1,
}

/** Makes a long list one Tab stop. Arrows, Home and End move between rows, including rows not rendered yet. */
export function useRovingRow(scroller: RefObject<HTMLElement | null>, layout: ListLayout, span: Span) {
  const [active, setActive] = useState(0)
  const [hasFocus, setHasFocus] = useState(false)
  const isDue = useRef(false)
  const isDrawn = active >= span.from && active <= span.to

  // Runs on every render: the row may appear only after scrolling, or be replaced while focused.
  useEffect(() => {
    const isLost = hasFocus && document.activeElement === document.body
    if (!isDue.current && !isLost) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-place="${active}"]`)
    if (!row) return
    isDue.current = false
    row.focus({ preventScroll: true })
  })

  function onKeyDown(event: KeyboardEvent) {
    const from = indexOf(event.target)
    const step = isPlain(event) ? steps[event.key] : undefined
    if (step === undefined || from === undefined) return
    event.preventDefault()
    const index = Math.max(0, Math.min(layout.count - 1, step(from, layout.count)))
    isDue.current = true
    setActive(index)
    if (scroller.current !== null) reveal(scroller.current, topOf(layout, index))
  }

  return {
    /** Index of the row that the Tab key stops at. */
    stop: isDrawn ? active : Math.min(span.to, Math.max(span.from, 0)),
    /** Index of the focused row if it was scrolled out of view. It must stay rendered to keep the focus. */
    kept: hasFocus && !isDrawn && active < layout.count ? active : null,
    handlers: {
      onKeyDown,
      onFocus: ({ target }: FocusEvent) => {
        const index = indexOf(target)
        if (index === undefined) return
        setHasFocus(true)
        if (!isDue.current) setActive(index)
      },
      onBlur: ({ target }: FocusEvent) => {
        // Checked after the blur: a row that still exists has passed the focus on, but a removed row has lost it.
        queueMicrotask(() => {
          if (target.isConnected && indexOf(document.activeElement) === undefined) setHasFocus(false)
        })
      },
    },
  }
}

function indexOf(target: EventTarget | null): number | undefined {
  const index = target instanceof HTMLElement ? target.dataset.place : undefined
  return index === undefined ? undefined : Number(index)
}

function isPlain({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return !altKey && !ctrlKey && !metaKey && !shiftKey
}

/** Scrolls just enough to show the whole row below the heading. */
function reveal(scroller: HTMLElement, top: number): void {
  const rem = remInPixels()
  const highest = (top - HEADING) * rem
  const lowest = (top + ROW) * rem - scroller.clientHeight
  if (scroller.scrollTop > highest) scroller.scrollTop = highest
  if (scroller.scrollTop < lowest) scroller.scrollTop = lowest
}
