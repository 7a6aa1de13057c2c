import { type ComponentProps, type RefObject, useLayoutEffect, useRef } from 'react'
import './growing-textarea.css'

/** A textarea that grows with its text, up to the limit of its stylesheet. */
export function GrowingTextarea({ ref, value, ...props }: ComponentProps<'textarea'>) {
  const own = useRef<HTMLTextAreaElement>(null)
  useHeightByHand(own, value)

  return (
    <textarea
      dir="auto"
      {...props}
      rows={1}
      value={value}
      data-growing=""
      ref={(area) => {
        own.current = area
        if (typeof ref === 'function') return ref(area)
        if (ref) ref.current = area
      }}
    />
  )
}

/** Fallback for browsers without `field-sizing`. It costs two layouts per key press. */
function useHeightByHand(own: RefObject<HTMLTextAreaElement | null>, value: unknown): void {
  useLayoutEffect(() => {
    const area = own.current
    if (area === null || area.value !== value || sizesItself()) return
    area.style.height = 'auto'
    const borders = area.offsetHeight - area.clientHeight
    area.style.height = `${area.scrollHeight + borders}px`
  }, [own, value])
}

function sizesItself(): boolean {
  return CSS.supports('field-sizing', 'content')
}
