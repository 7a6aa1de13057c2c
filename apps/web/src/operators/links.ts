import { createContext, useContext } from 'react'
import { useSectionLink } from '#src/ui/dialogs/section-links.ts'

/** An account or a space whose entries the log shows. */
export interface LogTarget {
  readonly id: string
  readonly name: string
}

interface OperatorLinks {
  /** Makes the section of spaces begin with this search. */
  setSpacesQuery(query: string): void
  /** Makes the log begin with this target. */
  setLogTarget(target: LogTarget): void
}

export const OperatorLinksContext = createContext<OperatorLinks>({
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

/** Returns a function that opens the spaces of an owner. */
export function useSpacesLink(): (ownerId: string) => void {
  const { setSpacesQuery } = useContext(OperatorLinksContext)
  const open = useSectionLink('spaces')
  return (ownerId) => {
    setSpacesQuery(ownerId)
    open?.()
  }
}
