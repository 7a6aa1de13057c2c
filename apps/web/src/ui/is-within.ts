import type { SyntheticEvent } from 'react'

/** What opens over the page, a menu or a dialog, is a part of the element for React, but not to the eye. */
export function isWithin({ currentTarget, target }: SyntheticEvent): boolean {
  return target instanceof Node && currentTarget.contains(target)
}
