import type { Role } from '@foyer/protocol/roles'
import { useEffect, useRef, useState } from 'react'
import { rolesFromTop } from '#src/permissions/rights.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import { arranged, moved, positionAt } from './role-order.ts'

interface RoleOrder {
  /** Highest first, with pending moves applied. */
  readonly roles: readonly Role[]
  readonly error: string | null
  move(roleId: string, to: number): void
}

interface PendingOrder {
  readonly ids: readonly string[]
  readonly isAnswered: boolean
}

/** Maximum wait for the event of a move that the server has accepted. After it, the order of the store is shown. */
const CONFIRM_WITHIN_MS = 1500

/** The roles of a space in order. Moves show immediately and are sent one by one. */
export function useRoleOrder(space: SpaceEntry): RoleOrder {
  const { client } = useSession()
  const [pending, setPending] = useState<PendingOrder | null>(null)
  const [error, setError] = useState<string | null>(null)
  const last = useRef<Promise<boolean>>(Promise.resolve(true))
  const serverRoles = rolesFromTop(space)
  const roles = pending === null ? serverRoles : arranged(serverRoles, pending.ids)
  const isConfirmed = roles.every((role, index) => role === serverRoles[index])

  useEffect(() => {
    if (pending?.isAnswered !== true) return
    const timer = setTimeout(() => setPending(null), isConfirmed ? 0 : CONFIRM_WITHIN_MS)
    return () => clearTimeout(timer)
  }, [pending, isConfirmed])

  function move(roleId: string, to: number) {
    const before = roles.map((role) => role.id)
    const ids = moved(before, roleId, to)
    setError(null)
    setPending({ ids, isAnswered: false })
    const sent = last.current.then(() => send(roleId, positionAt(to, ids.length)))
    last.current = sent
    void sent.then((isAccepted) => {
      if (last.current === sent) setPending(isAccepted ? { ids, isAnswered: true } : null)
    })
  }

  async function send(roleId: string, position: number): Promise<boolean> {
    try {
      await client.roles.update(space.id, roleId, { position })
      return true
    } catch (thrown) {
      setError(errorMessage(thrown))
      return false
    }
  }

  return { roles, error, move }
}
