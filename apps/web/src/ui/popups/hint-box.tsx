import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { isRightToLeft } from '../direction.ts'
import './hint-box.css'
import { placeBeside, type Side } from './place-beside.ts'

interface HintBoxProps {
  anchor: Element
  side: Side
  className: string
  onOver: (isOver: boolean) => void
  children: ReactNode
}

/** A tooltip next to a control. It stays while the pointer is over it (WCAG 1.4.13), and clicks pass through it. */
export function HintBox({ anchor, side, className, onOver, children }: HintBoxProps) {
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    let wasOver = false
    function follow({ clientX: x, clientY: y }: PointerEvent) {
      const rect = box.current?.getBoundingClientRect() ?? new DOMRect()
      const isOver = x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom
      if (isOver !== wasOver) onOver(isOver)
      wasOver = isOver
    }
    window.addEventListener('pointermove', follow)
    return () => window.removeEventListener('pointermove', follow)
  }, [onOver])

  // Runs after every render, because the content may load late and change its size.
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const size = { width: element.offsetWidth, height: element.offsetHeight }
    const window = { width: globalThis.innerWidth, height: globalThis.innerHeight }
    const placing = { side, size, window, isRightToLeft: isRightToLeft() }
    const { x, y } = placeBeside(anchor.getBoundingClientRect(), placing)
    // Physical coordinates, independent of the text direction.
    element.style.left = `${Math.round(x)}px`
    element.style.top = `${Math.round(y)}px`
  })

  return createPortal(
    <div ref={box} role="tooltip" className={`hint ${className}`}>
      {children}
    </div>,
    document.body,
  )
}
