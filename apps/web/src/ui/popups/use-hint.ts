import { type FocusEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from 'react'

/** Delay before the first hint, so that a passing pointer shows none. */
const WAIT_MS = 400
/** Time after a hint during which the next one appears at once. */
const NEXT_MS = 400
/** Time for the pointer to get from the control to its hint. */
const CROSSING_MS = 120

let lastSeenAt = 0

/** Shows a hint while its control is hovered or has keyboard focus, until Escape. */
export function useHint() {
  const [anchor, setAnchor] = useState<Element | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isShown = anchor !== null

  function after(ms: number, shown: Element | null) {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setAnchor(shown), ms)
  }
  function close() {
    clearTimeout(timer.current)
    setAnchor(null)
  }
  function leave() {
    after(isShown ? CROSSING_MS : 0, null)
  }

  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!isShown) return
    const listening = new AbortController()
    const options = { capture: true, signal: listening.signal }
    const hide = () => setAnchor(null)
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && hide(), options)
    window.addEventListener('scroll', hide, options)
    window.addEventListener('pointerdown', hide, options)
    return () => {
      listening.abort()
      lastSeenAt = Date.now()
    }
  }, [isShown])

  const control = {
    onPointerEnter: ({ pointerType, currentTarget }: PointerEvent<Element>) => {
      if (pointerType === 'touch') return
      after(Date.now() - lastSeenAt < NEXT_MS ? 0 : WAIT_MS, currentTarget)
    },
    onPointerLeave: leave,
    onPointerDown: close,
    onFocus: ({ currentTarget }: FocusEvent<Element>) => {
      if (currentTarget.matches(':focus-visible')) after(0, currentTarget)
    },
    onBlur: close,
  }
  const onOver = useCallback((isOver: boolean) => {
    clearTimeout(timer.current)
    if (!isOver) timer.current = setTimeout(() => setAnchor(null), CROSSING_MS)
  }, [])
  return { anchor, control, onOver }
}
