import { type FocusEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from 'react'

/** Who only passes by is not told. */
const WAIT_MS = 400
/** From one control to the next, hints follow at once. */
const NEXT_MS = 400
/** Until a pointer on its way from the control to the hint has arrived. */
const CROSSING_MS = 120

let lastSeenAt = 0

/** When a hint about a control is shown: while it is pointed at or has the focus of the keyboard, and until Escape. */
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
    const heard = new AbortController()
    const options = { capture: true, signal: heard.signal }
    const hide = () => setAnchor(null)
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && hide(), options)
    window.addEventListener('scroll', hide, options)
    window.addEventListener('pointerdown', hide, options)
    return () => {
      heard.abort()
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
