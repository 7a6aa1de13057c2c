import { createContext, useContext } from 'react'
import { useSectionLink } from '#src/ui/dialogs/section-links.ts'

/** An account or a space whose entries the log shows. */
export interface LogTarget {
  readonly id: string
  readonly name: string
}

interface OperatorLinks {
  /** Sets the search with which the section of people opens. */
  setPeopleQuery(query: string): void
  /** Sets the search with which the section of spaces opens. */
  setSpacesQuery(query: string): void
  /** Sets the target that initially filters the log. */
  setLogTarget(target: LogTarget): void
}

export const OperatorLinksContext = createContext<OperatorLinks>({
  setPeopleQuery: () => undefined,
  setSpacesQuery: () => undefined,
  setLogTarget: () => undefined,
})

/** Returns a function that opens the log of one account or space. */
export function useLogLink(): (target: LogTarget) => void {
  const { setLogTarget } = useContext(OperatorLinksContext)
  const open = useSectionLink('log')
  return (target) => {
    setLogTarget(target)
    open?.()
  }
}

/** Returns a function that opens an account. */
export function usePeopleLink(): (userId: string) => void {
  const { setPeopleQuery } = useContext(OperatorLinksContext)
  const open = useSectionLink('people')
  return (userId) => {
    setPeopleQuery(userId)
    open?.()
  }
}

/** Returns a function that opens a space, or the spaces of an owner. */
export function useSpacesLink(): (id: string) => void {
  const { setSpacesQuery } = useContext(OperatorLinksContext)
  const open = useSectionLink('spaces')
  return (id) => {
    setSpacesQuery(id)
    open?.()
  }
}
