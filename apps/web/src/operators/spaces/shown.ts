import type { OperatorSpace } from '@foyer/protocol/operators'

type Change = Pick<OperatorSpace, 'held_at' | 'deleted_at'> & {
  space: Pick<OperatorSpace['space'], 'frozen_at'>
}

/** Returns whether a space that was changed stays in the list, as the server would list it. */
export function staysIn(shown: string, { space, held_at, deleted_at }: Change): boolean {
  if (shown === 'held') return held_at !== null
  if (shown === 'deleted') return deleted_at !== null
  return deleted_at === null && (shown !== 'frozen' || space.frozen_at !== null)
}
