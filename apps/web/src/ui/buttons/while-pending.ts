import type { MouseEventHandler } from 'react'

export interface PendingProps {
  /** The button's work is running. It ignores clicks, but keeps the focus, which a disabled button would lose. */
  pending?: boolean
}

/** Props of a button, depending on its pending state. */
export function whilePending(pending = false, onClick?: MouseEventHandler<HTMLButtonElement>) {
  if (!pending) return { onClick }
  return { 'aria-busy': true, 'aria-disabled': true, onClick: doNothing }
}

/** Ignores a click, and prevents it from submitting the form. */
const doNothing: MouseEventHandler = (event) => event.preventDefault()
