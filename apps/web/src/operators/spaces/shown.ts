import type { OperatorSpace } from '@foyer/protocol/operators'

type Change = Pick<OperatorSpace, 'held_at' | 'deleted_at'> & {
  space: Pick<OperatorSpace['space'], 'frozen_at'>
}

/** Returns true if a changed space stays in the list, because the server would still list it. */
export function staysIn(shown: string, { space, held_at, deleted_at }: Change): boolean {
  if (shown === 'held') return held_at !== null
  if (shown === 'deleted') return deleted_at !== null
  return deleted_at === null && (shown !== 'frozen' || space.frozen_at !== null)
}
