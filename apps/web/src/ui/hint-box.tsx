import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { isRightToLeft } from './direction.ts'
import './hint-box.css'
import { placeBeside, type Side } from './place-beside.ts'

interface HintBoxProps {
  anchor: Element
  side: Side
  className: string
  onPointerEnter: () => void
  onPointerLeave: () => void
  children: ReactNode
}

/** A few words beside a control, over everything else. */
export function HintBox({ anchor, side, className, children, ...handlers }: HintBoxProps) {
  const box = useRef<HTMLDivElement>(null)

  // Without dependencies: what it says may come later, and be longer.
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const size = { width: element.offsetWidth, height: element.offsetHeight }
    const window = { width: globalThis.innerWidth, height: globalThis.innerHeight }
    const placing = { side, size, window, isRightToLeft: isRightToLeft() }
    const { x, y } = placeBeside(anchor.getBoundingClientRect(), placing)
    // A place on the screen, whichever way lines run.
    element.style.left = `${Math.round(x)}px`
    element.style.top = `${Math.round(y)}px`
  })

  return createPortal(
    <div ref={box} role="tooltip" className={`hint ${className}`} {...handlers}>
      {children}
    </div>,
    document.body,
  )
}
