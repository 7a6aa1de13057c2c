import { type ComponentProps, type RefObject, useLayoutEffect, useRef } from 'react'
import './growing-textarea.css'

/** A text field as high as its text, up to what its stylesheet allows. */
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

/** Where a field does not size itself; it costs two layouts of the page for every key. */
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
