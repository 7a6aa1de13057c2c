import { type RefObject, useEffect } from 'react'
import { isTouch } from './is-touch.ts'

/**
 * What is deleted may take along the dialog that asked: the gateway can be faster than the answer. Then nobody else gives
 * the focus back, and it is lost unless it goes to a place that stays.
 */
export function useFocusAfter(open: boolean, place: RefObject<HTMLElement | null> | undefined): void {
  useEffect(() => {
    if (!open) return
    return () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body && !isTouch()) place?.current?.focus()
      })
    }
  }, [open, place])
}
