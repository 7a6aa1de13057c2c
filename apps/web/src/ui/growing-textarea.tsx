import { type ComponentProps, useLayoutEffect, useRef } from 'react'

/** A text field as high as its text, up to what its stylesheet allows. */
export function GrowingTextarea({ ref, value, ...props }: ComponentProps<'textarea'>) {
  const own = useRef<HTMLTextAreaElement>(null)

  useLayoutEffect(() => {
    const area = own.current
    if (area === null || area.value !== value) return
    area.style.height = 'auto'
    const borders = area.offsetHeight - area.clientHeight
    area.style.height = `${area.scrollHeight + borders}px`
  }, [value])

  return (
    <textarea
      {...props}
      rows={1}
      value={value}
      ref={(area) => {
        own.current = area
        if (typeof ref === 'function') return ref(area)
        if (ref) ref.current = area
      }}
    />
  )
}
