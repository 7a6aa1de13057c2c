import { type FocusEvent, useRef } from 'react'
import { useFocusAfter } from './use-focus-after.ts'

/**
 * For what goes once it is used, and takes its buttons along: the focus goes back to what had it before them.
 * @returns what listens around the buttons
 */
export function useFocusBack(isThere: boolean): (event: FocusEvent) => void {
  const cameFrom = useRef<Element>(null)
  useFocusAfter(cameFrom, { open: isThere })
  return ({ currentTarget, relatedTarget }) => {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget
  }
}
