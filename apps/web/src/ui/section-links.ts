import { createContext, useContext } from 'react'

interface SectionLinks {
  has(id: string): boolean
  choose(id: string): void
}

/** The settings around a section. */
export const SectionLinksContext = createContext<SectionLinks>({
  has: () => false,
  choose: () => undefined,
})

/** What leads to another section of the settings around; null where the reader may not use it, or there are none. */
export function useSectionLink(id: string): (() => void) | null {
  const { has, choose } = useContext(SectionLinksContext)
  return has(id) ? () => choose(id) : null
}
