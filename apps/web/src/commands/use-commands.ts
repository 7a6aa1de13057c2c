import { useEffect } from 'react'
import { useStore } from 'zustand'
import { useSession } from '#src/session/context.ts'
import { type CommandChannel, CommandLists, keyOf } from './command-lists.ts'

const UNKNOWN = { commands: [], state: 'loading' } as const

/** Returns the channel's commands and keeps them up to date. Loads them on first use. */
export function useCommands(channel: CommandChannel) {
  const lists = CommandLists.of(useSession())
  const { id, spaceId } = channel
  const listed = useStore(lists.api, (state) => state[keyOf(channel)])
  const isDue = listed === undefined || listed.state === 'stale'

  useEffect(() => {
    if (isDue) lists.load({ id, spaceId })
  }, [lists, isDue, id, spaceId])

  // Retries a failed request when the user types the next command.
  useEffect(() => {
    if (lists.api.getState()[spaceId ?? id]?.state === 'failed') lists.load({ id, spaceId })
  }, [lists, id, spaceId])

  return listed ?? UNKNOWN
}
