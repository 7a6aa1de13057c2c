import { createContext, useContext } from 'react'

/** Whether the focus is in the message around. */
export const RowFocus = createContext(true)

/**
 * The `tabIndex` of something in a message that can be used. The Tab key goes from the list to one message, and only on from
 * there to what is in it: a room full of pictures would have no end.
 */
export function useRowPart(): 0 | -1 {
  return useContext(RowFocus) ? 0 : -1
}
