import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { useMemo, useState } from 'react'
import { mayInRoom } from '#src/permissions/rights.ts'
import { useAppState } from '#src/session/context.ts'
import type { State } from '#src/store/state.ts'
import { type Destination, destinations, foundDestinations } from '#src/switcher/destinations.ts'

/** Targets shown before the user searches. */
const MAX_FIRST = 20

/** Searches the channels the user can write in. */
export function useForwardTargets() {
  const state = useAppState((now) => now)
  const [query, setQuery] = useState('')
  // Read once, so that the list does not move while the user selects targets.
  const [all] = useState(() => destinations(state).filter((target) => mayWriteIn(state, target)))
  const found = useMemo(
    () => (query.trim() === '' ? all.slice(0, MAX_FIRST) : foundDestinations(all, query, [])),
    [all, query],
  )
  return { query, setQuery, found }
}

function mayWriteIn(state: State, { kind, id }: Destination): boolean {
  if (kind !== 'room') return kind !== 'space'
  // A forum has no messages of its own.
  return state.rooms[id]?.type !== RoomType.Forum && mayInRoom(state, id, Permission.SendMessages)
}
