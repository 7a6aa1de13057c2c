import { createContext, useContext } from 'react'

interface SectionLinks {
  has(id: string): boolean
  choose(id: string): void
}

/** The surrounding settings dialog. */
export const SectionLinksContext = createContext<SectionLinks>({
  has: () => false,
  choose: () => undefined,
})

/** Returns a function that opens another section of the settings; null if the user cannot access it, or outside settings. */
export function useSectionLink(id: string): (() => void) | null {
  const { has, choose } = useContext(SectionLinksContext)
  return has(id) ? () => choose(id) : null
}
