import type { MouseEventHandler } from 'react'

export interface PendingProps {
  /** True while the button's action runs. The button then ignores clicks, but keeps the focus, which `disabled` would lose. */
  pending?: boolean
}

/** Props of a button, depending on its pending state. */
export function whilePending(pending = false, onClick?: MouseEventHandler<HTMLButtonElement>) {
  if (!pending) return { onClick }
  return { 'aria-busy': true, 'aria-disabled': true, onClick: doNothing }
}

/** Ignores a click, and prevents it from submitting the form. */
const doNothing: MouseEventHandler = (event) => event.preventDefault()
