import { t } from '#src/language/texts.ts'
import type { Session } from '#src/session/session.ts'
import { orderedSpaces } from '#src/store/selectors.ts'
import type { Way } from '#src/ui/row-steps.ts'
import type { Over } from '#src/ui/use-row-drag.ts'

/** Before which space one is put; null for the end. */
export interface SpacePlace {
  readonly beforeId: string | null
}

/** One up or down; null where there is nothing beyond. */
export function placeOnWay(ids: readonly string[], id: string, way: Way): SpacePlace | null {
  const index = ids.indexOf(id)
  if (way === 'up') return index > 0 ? { beforeId: ids[index - 1] ?? null } : null
  return index < ids.length - 1 ? { beforeId: ids[index + 2] ?? null } : null
}

/** Where one that is dragged over another comes to stand; null for where it is. */
export function placeAt(ids: readonly string[], id: string, over: Over): SpacePlace | null {
  const beforeId = ids[ids.indexOf(over.id) + (over.half === 'upper' ? 0 : 1)] ?? null
  const afterIt = ids[ids.indexOf(id) + 1] ?? null
  return beforeId === id || beforeId === afterIt ? null : { beforeId }
}

/** Puts a space elsewhere in the reader's order. @returns what happened, for those who do not see it */
export function moveSpace({ store }: Pick<Session, 'store'>, id: string, { beforeId }: SpacePlace): string {
  const state = store.get()
  const others = orderedSpaces(state)
    .map((space) => space.id)
    .filter((other) => other !== id)
  const index = beforeId === null ? others.length : others.indexOf(beforeId)
  store.dispatch('spaces_ordered', others.toSpliced(index, 0, id))
  const room = state.spaces[id]?.name ?? ''
  const next = state.spaces[beforeId ?? '']?.name
  if (next === undefined) return t('{room} is now the last.', { room })
  return t('{room} is now before {next}.', { room, next })
}
