import { type FocusEvent, useRef } from 'react'
import { useFocusAfter } from './use-focus-after.ts'

/**
 * Returns the focus to the previous element when a bar disappears together with its focused button.
 * @returns a handler for focus events of the bar
 */
export function useFocusBack(isThere: boolean): (event: FocusEvent) => void {
  const cameFrom = useRef<Element>(null)
  useFocusAfter(cameFrom, { open: isThere })
  return ({ currentTarget, relatedTarget }) => {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget
  }
}
