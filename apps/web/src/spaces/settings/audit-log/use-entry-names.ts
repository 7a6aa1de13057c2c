import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import { useMemo } from 'react'
import { useNames } from '#src/members/use-names.ts'
import { rightsInSpace } from '#src/permissions/rights.ts'
import { useAppState } from '#src/session/context.ts'
import { usePeople } from '#src/session/use-people.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { MAX_NAMED_NEWCOMERS } from './entries/door-fields.ts'
import { type EntryNames, entryNames } from './entries/names.ts'
import { newcomersIn, personIn } from './entries/values.ts'
import type { LoadedLog } from './log-entries.ts'

/** Finds the names for entries. Loads users that neither the log nor the store has. */
export function useEntryNames(space: SpaceEntry, { entries, users }: LoadedLog): EntryNames {
  const rooms = useAppState((state) => state.rooms)
  const known = useAppState((state) => state.users)
  const nameOf = useNames(space.id)
  const people = [...entries.flatMap(peopleOf), ...entries.flatMap(namedNewcomersOf)]
  usePeople(people.filter((id) => !(id in users)))
  return useMemo(
    () =>
      entryNames({
        space,
        rooms,
        users: { ...users, ...known },
        nameOf,
        viewsAll: rightsInSpace(space).isAdministrator,
      }),
    [space, rooms, users, known, nameOf],
  )
}

function peopleOf(entry: AuditLogEntry): string[] {
  const target = entry.target_type === 'user' ? entry.target_id : null
  return [entry.actor_id, target, personIn(entry)].filter((id) => typeof id === 'string')
}

function namedNewcomersOf(entry: AuditLogEntry): string[] {
  return newcomersIn(entry).slice(0, MAX_NAMED_NEWCOMERS)
}
