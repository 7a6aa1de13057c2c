import { t } from '#src/language/texts.ts'
import type { Session } from '#src/session/session.ts'
import { orderedSpaces } from '#src/store/selectors.ts'
import type { Way } from '#src/ui/lists/row-steps.ts'
import type { Over } from '#src/ui/lists/use-row-drag.ts'

/** The space that follows the moved one; null for the end of the list. */
export interface SpacePosition {
  readonly beforeId: string | null
}

/** The position one step up or down; null if the space is already first or last. */
export function positionAfterStep(ids: readonly string[], id: string, way: Way): SpacePosition | null {
  const index = ids.indexOf(id)
  if (way === 'up') return index > 0 ? { beforeId: ids[index - 1] ?? null } : null
  return index < ids.length - 1 ? { beforeId: ids[index + 2] ?? null } : null
}

/** The position of a space dropped on another; null if it would not move. */
export function positionAfterDrop(ids: readonly string[], id: string, over: Over): SpacePosition | null {
  const beforeId = ids[ids.indexOf(over.id) + (over.half === 'upper' ? 0 : 1)] ?? null
  const afterIt = ids[ids.indexOf(id) + 1] ?? null
  return beforeId === id || beforeId === afterIt ? null : { beforeId }
}

/** Moves a space in the user's own order. @returns an announcement for screen readers */
export function moveSpace(
  { store }: Pick<Session, 'store'>,
  id: string,
  { beforeId }: SpacePosition,
): string {
  const state = store.get()
  const others = orderedSpaces(state)
    .map((space) => space.id)
    .filter((other) => other !== id)
  const index = beforeId === null ? others.length : others.indexOf(beforeId)
  store.dispatch('spaces_ordered', others.toSpliced(index, 0, id))
  const room = state.spaces[id]?.name ?? ''
  const next = state.spaces[beforeId ?? '']?.name
  if (next === undefined) return t('{room} is now last.', { room })
  return t('{room} is now before {next}.', { room, next })
}
