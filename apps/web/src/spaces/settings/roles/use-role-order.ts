import type { Role } from '@foyer/protocol/roles'
import { useEffect, useRef, useState } from 'react'
import { rolesFromTop } from '#src/permissions/rights.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { errorMessage } from '#src/ui/form-errors.ts'
import { arranged, moved, positionAt } from './role-order.ts'

interface RoleOrder {
  /** From the highest down, as it will be once the server has taken in every move. */
  readonly roles: readonly Role[]
  readonly error: string | null
  move(roleId: string, to: number): void
}

interface Wanted {
  readonly ids: readonly string[]
  readonly isAnswered: boolean
}

/** How long the gateway may take to tell of a move that was answered. */
const PATIENCE_MS = 1500

/** The roles of a space in their order. Moves are shown at once and sent one after the other. */
export function useRoleOrder(space: SpaceEntry): RoleOrder {
  const { client } = useSession()
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const [error, setError] = useState<string | null>(null)
  const last = useRef<Promise<boolean>>(Promise.resolve(true))
  const told = rolesFromTop(space)
  const roles = wanted === null ? told : arranged(told, wanted.ids)
  const isTold = roles.every((role, index) => role === told[index])

  useEffect(() => {
    if (wanted?.isAnswered !== true) return
    const timer = setTimeout(() => setWanted(null), isTold ? 0 : PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [wanted, isTold])

  function move(roleId: string, to: number) {
    const before = roles.map((role) => role.id)
    const ids = moved(before, roleId, to)
    setError(null)
    setWanted({ ids, isAnswered: false })
    const sent = last.current.then(() => send(roleId, positionAt(to, ids.length)))
    last.current = sent
    void sent.then((isTaken) => {
      if (last.current === sent) setWanted(isTaken ? { ids, isAnswered: true } : null)
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
