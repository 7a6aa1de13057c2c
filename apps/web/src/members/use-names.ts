import { useMemo } from 'react'
import { useAppState } from '#src/session/context.ts'
import { type NameLookup, nameLookup } from '#src/store/selectors.ts'

/** Returns a function that names a space's members. */
export function useNames(spaceId: string): NameLookup {
  const users = useAppState((state) => state.users)
  const space = useAppState((state) => state.spaces[spaceId])
  const members = useAppState((state) => state.members[spaceId])
  return useMemo(() => nameLookup(users, space, members), [users, space, members])
}
