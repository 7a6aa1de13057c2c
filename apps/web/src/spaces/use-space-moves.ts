import { useRef, useState } from 'react'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { byKeys } from '#src/ui/lists/row-steps.ts'
import { useRowDrag } from '#src/ui/lists/use-row-drag.ts'
import { moveSpace, positionAfterDrop, positionAfterStep, type SpacePosition } from './space-order.ts'

/** Lets the user move spaces in the rail, by dragging or with the keyboard. */
export function useSpaceMoves(spaces: readonly SpaceEntry[]) {
  const session = useSession()
  const list = useRef<HTMLElement>(null)
  const [notice, setNotice] = useState('')
  const ids = spaces.map(({ id }) => id)
  const put = (id: string, position: SpacePosition) => setNotice(moveSpace(session, id, position))
  const { draggedId, place, handlers } = useRowDrag<SpacePosition>({
    list,
    row: 'space',
    placeAt: (id, over) => positionAfterDrop(ids, id, over),
    onDrop: put,
  })

  const rowOf = (id: string) => ({
    'data-space': id,
    'data-dragged': id === draggedId || undefined,
    'data-mark': place === null ? undefined : markOf(id, place),
    ...handlers(id),
    onKeyDown: byKeys((way) => {
      const next = positionAfterStep(ids, id, way)
      if (next !== null) put(id, next)
    }),
  })

  function markOf(id: string, { beforeId }: SpacePosition): 'before' | 'after' | undefined {
    if (id === beforeId) return 'before'
    return beforeId === null && id === ids.at(-1) ? 'after' : undefined
  }

  return { list, notice, rowOf }
}
