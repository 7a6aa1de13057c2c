import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Of what comes in the place of a list, such as one role's page: its heading has the focus. At once, or else the dialog
 * around takes it, one frame after what had it is gone.
 * @param isWanted false where something else there has it
 */
export function useFocusedHeading(isWanted = true): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    if (isWanted) heading.current?.focus()
  }, [isWanted])
  return heading
}
