import { useEffect } from 'react'
import { useStore } from 'zustand'
import { useSession } from '#src/session/context.ts'
import { CommandLists, type CommandPlace, keyOf } from './command-lists.ts'

const UNKNOWN = { commands: [], state: 'loading' } as const

/** The commands that can be used there, as that changes; asked for when they are first wanted. */
export function useCommands(place: CommandPlace) {
  const lists = CommandLists.of(useSession())
  const { id, spaceId } = place
  const listed = useStore(lists.api, (state) => state[keyOf(place)])
  const isDue = listed === undefined || listed.state === 'stale'

  useEffect(() => {
    if (isDue) lists.load({ id, spaceId })
  }, [lists, isDue, id, spaceId])

  // What failed is tried again when somebody types the next command.
  useEffect(() => {
    if (lists.api.getState()[spaceId ?? id]?.state === 'failed') lists.load({ id, spaceId })
  }, [lists, id, spaceId])

  return listed ?? UNKNOWN
}
