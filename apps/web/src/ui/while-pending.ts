import type { MouseEventHandler } from 'react'

export interface PendingProps {
  /** The work that the button started is under way: it does nothing, but keeps the focus, which a disabled one would lose. */
  pending?: boolean
}

/** Of a button, what it does, and says of itself, while its work is under way and while not. */
export function whilePending(pending = false, onClick?: MouseEventHandler<HTMLButtonElement>) {
  if (!pending) return { onClick }
  return { 'aria-busy': true, 'aria-disabled': true, onClick: doNothing }
}

/** A form is not sent either. */
const doNothing: MouseEventHandler = (event) => event.preventDefault()
