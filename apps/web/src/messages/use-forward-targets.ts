import { Permission } from '@foyer/protocol/permissions'
import { useMemo, useState } from 'react'
import { mayInRoom } from '#src/permissions/rights.ts'
import { useAppState } from '#src/session/context.ts'
import type { State } from '#src/store/state.ts'
import { type Destination, destinations, foundDestinations } from '#src/switcher/destinations.ts'

/** Shown before anything is typed. */
const MAX_FIRST = 20

/** Where one may write, and which of these places are meant. */
export function useForwardTargets() {
  const state = useAppState((now) => now)
  const [query, setQuery] = useState('')
  // Read once: the list must not move while somebody chooses.
  const [all] = useState(() => destinations(state).filter((place) => mayWriteIn(state, place)))
  const found = useMemo(
    () => (query.trim() === '' ? all.slice(0, MAX_FIRST) : foundDestinations(all, query, [])),
    [all, query],
  )
  return { query, setQuery, found }
}

function mayWriteIn(state: State, { kind, id }: Destination): boolean {
  if (kind !== 'room') return kind !== 'space'
  return mayInRoom(state, id, Permission.SendMessages)
}
