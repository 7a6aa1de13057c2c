import { createContext, type RefObject, useContext, useEffect } from 'react'
import { isTouch } from './is-touch.ts'
import { pagePlace } from './page-place.ts'

/** Of what is around, such as a section of settings: where the focus goes when no place nearer is left. */
export const PlaceAround = createContext<RefObject<HTMLElement | null>>(pagePlace)

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
  const around = useContext(PlaceAround)
  useEffect(() => {
    if (!open) return
    return () => {
      // A dialog around takes the focus of what goes from it, a frame later.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          const { activeElement } = document
          const to = [place, around, pagePlace].find((each) => each?.current?.isConnected)?.current
          // What is around the place has the focus when nothing there has it: the page, or the dialog.
          const isLost = activeElement?.contains(to ?? null) || popup?.current?.contains(activeElement)
          if (isLost && !isTouch() && to instanceof HTMLElement) to.focus()
        }),
      )
    }
  }, [open, popup, place, around])
}
