import type { FocusEvent, SyntheticEvent } from 'react'

/** What opens over the page, a menu or a dialog, is a part of the element for React, but not to the eye. */
export function isWithin({ currentTarget, target }: SyntheticEvent): boolean {
  return target instanceof Node && currentTarget.contains(target)
}

/** Whether the focus that leaves a part of the element goes to another part of it. */
export function staysWithin({ currentTarget, relatedTarget }: FocusEvent): boolean {
  return currentTarget.contains(relatedTarget)
}
