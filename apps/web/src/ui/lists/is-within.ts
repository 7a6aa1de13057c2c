import type { FocusEvent, SyntheticEvent } from 'react'

/** False for events of popups and dialogs: React bubbles them, but they are not inside the element in the DOM. */
export function isWithin({ currentTarget, target }: SyntheticEvent): boolean {
  return target instanceof Node && currentTarget.contains(target)
}

/** True if the focus moves within the element. */
export function staysWithin({ currentTarget, relatedTarget }: FocusEvent): boolean {
  return currentTarget.contains(relatedTarget)
}
