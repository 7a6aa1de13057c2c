import type { OperatorAction, OperatorLogQuery } from '@foyer/protocol/operators'
import type { LogTarget } from '../links.ts'

/** The filters as the user sees them. */
export interface ChosenFilter {
  /** Id of an operator. */
  readonly actorId: string | null
  readonly action: OperatorAction | null
  readonly target: LogTarget | null
}

export const noFilter: ChosenFilter = { actorId: null, action: null, target: null }

export function isFiltered({ actorId, action, target }: ChosenFilter): boolean {
  return actorId !== null || action !== null || target !== null
}

/** Returns the server's filter. */
export function filterOf({ actorId, action, target }: ChosenFilter): OperatorLogQuery {
  return {
    ...(actorId !== null && { actor_id: actorId }),
    ...(action !== null && { action }),
    ...(target !== null && { target_id: target.id }),
  }
}
