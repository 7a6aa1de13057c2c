import { createContext, type RefObject } from 'react'

/** A panel whose shortcuts work only while it has the focus. */
export const ShortcutScope = createContext<RefObject<Element | null> | null>(null)
