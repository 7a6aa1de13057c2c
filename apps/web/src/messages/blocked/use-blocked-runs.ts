import { useCallback, useMemo, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { useAppState } from '#src/session/context.ts'
import { blockedIn } from '#src/store/friends.ts'
import type { Row } from '../timeline/rows.ts'
import { foldBlocked } from './blocked-runs.ts'

const NONE: ReadonlySet<string> = new Set()

/** Expands or collapses messages of blocked people. */
export type ShowBlocked = (ids: readonly string[], isShown: boolean) => void

/** Returns the rows with messages of blocked people collapsed, and a function to expand them. */
export function useBlockedRuns(rows: readonly Row[]): { rows: readonly Row[]; showBlocked: ShowBlocked } {
  const { id } = useChannel()
  const blocks = useAppState((state) => blockedIn(state, id))
  const [wanted, setWanted] = useState(NONE)
  const [keys] = useState(() => new Map<string, string>())
  const folded = useMemo(() => foldBlocked(rows, blocks, wanted, keys), [rows, blocks, wanted, keys])
  const showBlocked = useCallback<ShowBlocked>(
    (ids, isShown) =>
      setWanted((held) => new Set(isShown ? [...held, ...ids] : [...held].filter((at) => !ids.includes(at)))),
    [],
  )
  return { rows: folded, showBlocked }
}
