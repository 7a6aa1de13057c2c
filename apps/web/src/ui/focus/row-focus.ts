import { createContext, useContext } from 'react'

/** True if the focus is inside the message. */
export const RowFocus = createContext(true)

/**
 * Returns the `tabIndex` for controls inside a message. Tab moves from the list to one message, and only from there
 * to its controls. Otherwise a room full of images would take endless tabbing.
 */
export function useRowPart(): 0 | -1 {
  return useContext(RowFocus) ? 0 : -1
}
