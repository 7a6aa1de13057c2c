import { useCallback, useSyncExternalStore } from 'react'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { useSession } from '#src/session/context.ts'
import { type Undecided, undecidedCounter } from './undecided.ts'

/** Numbers of pending reports and appeals; zero without the permission to decide. */
export function useUndecided(spaceId: string): Undecided {
  const { client } = useSession()
  const rights = usePermissions(spaceId)
  const mayReports = rights.may('ManageReports')
  const mayAppeals = rights.may('BanMembers')
  const counter = undecidedCounter(client, spaceId)
  const watch = useCallback(
    (onChange: () => void) =>
      counter.watch(
        [...(mayReports ? ['reports' as const] : []), ...(mayAppeals ? ['appeals' as const] : [])],
        onChange,
      ),
    [counter, mayReports, mayAppeals],
  )
  return useSyncExternalStore(watch, () => counter.counts)
}
