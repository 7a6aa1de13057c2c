import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Focuses the heading of a view that replaces a list, such as a role's page. It does so at once, because the surrounding dialog
 * takes a lost focus one frame later.
 * @param isWanted false if another element there takes the focus
 */
export function useFocusedHeading(isWanted = true): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    if (isWanted) heading.current?.focus()
  }, [isWanted])
  return heading
}
