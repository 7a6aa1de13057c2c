import { type RefObject, useEffect } from 'react'
import { isTouch } from './is-touch.ts'

interface Dialog {
  /** For what stays in the page when it closes; anything else is open for as long as it is there. */
  readonly open?: boolean
  /** Where it still has the focus while it fades out. */
  readonly popup?: RefObject<HTMLElement | null>
}

/**
 * What is deleted may take along the dialog that asked: the gateway can be faster than the answer. Then nobody else gives
 * the focus back. So it goes to a place that stays, whichever comes first, once it is nowhere or in a dialog that closes.
 */
export function useFocusAfter(
  place: RefObject<Element | null> | undefined,
  { open = true, popup }: Dialog = {},
): void {
  useEffect(() => {
    if (!open) return
    return () => {
      requestAnimationFrame(() => {
        const { activeElement, body } = document
        const isLost = activeElement === body || popup?.current?.contains(activeElement)
        if (isLost && !isTouch() && place?.current instanceof HTMLElement) place.current.focus()
      })
    }
  }, [open, popup, place])
}
