import { useRef, useState } from 'react'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { byKeys } from '#src/ui/row-steps.ts'
import { useRowDrag } from '#src/ui/use-row-drag.ts'
import { moveSpace, placeAt, placeOnWay, type SpacePlace } from './space-order.ts'

/** The ways to move spaces in their column: by dragging and by keys. */
export function useSpaceMoves(spaces: readonly SpaceEntry[]) {
  const session = useSession()
  const list = useRef<HTMLElement>(null)
  const [notice, setNotice] = useState('')
  const ids = spaces.map(({ id }) => id)
  const put = (id: string, place: SpacePlace) => setNotice(moveSpace(session, id, place))
  const { draggedId, place, handlers } = useRowDrag<SpacePlace>({
    list,
    row: 'space',
    placeAt: (id, over) => placeAt(ids, id, over),
    onDrop: put,
  })

  const rowOf = (id: string) => ({
    'data-space': id,
    'data-dragged': id === draggedId || undefined,
    'data-mark': place === null ? undefined : markOf(id, place),
    ...handlers(id),
    onKeyDown: byKeys((way) => {
      const next = placeOnWay(ids, id, way)
      if (next !== null) put(id, next)
    }),
  })

  function markOf(id: string, { beforeId }: SpacePlace): 'before' | 'after' | undefined {
    if (id === beforeId) return 'before'
    return beforeId === null && id === ids.at(-1) ? 'after' : undefined
  }

  return { list, notice, rowOf }
}
