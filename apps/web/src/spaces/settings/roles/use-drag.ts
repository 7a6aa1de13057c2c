import { type CSSProperties, type PointerEvent, type RefObject, useState } from 'react'

interface Drag {
  readonly id: string
  readonly pointerId: number
  readonly from: number
  readonly to: number
  /** Pixels from the top of the list to the press, and from the press to the row's current position. */
  readonly startY: number
  readonly distance: number
  readonly rowHeight: number
}

interface DragOptions {
  list: RefObject<HTMLElement | null>
  /** First and last index that rows may be moved to. */
  range: readonly [number, number]
  onMove: (id: string, to: number) => void
}

/**
 * Moves rows of equal height by a handle. The DOM order changes only on drop, because moving the handle in the DOM would
 * release the pointer capture. Until then, transforms move the row and make room for it.
 */
export function useDrag({ list, range, onMove }: DragOptions) {
  const [drag, setDrag] = useState<Drag | null>(null)

  function start(event: PointerEvent<HTMLElement>, id: string, from: number) {
    const row = list.current?.children[from]
    if (row === undefined || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const { pointerId } = event
    const startY = event.clientY - topOf(list)
    const rowHeight = row.getBoundingClientRect().height
    setDrag({ id, pointerId, from, to: from, startY, distance: 0, rowHeight })
  }

  function follow(event: PointerEvent) {
    if (drag === null || event.pointerId !== drag.pointerId) return
    const [first, last] = range.map((index) => (index - drag.from) * drag.rowHeight)
    const pulled = event.clientY - topOf(list) - drag.startY
    const distance = Math.min(last ?? 0, Math.max(first ?? 0, pulled))
    setDrag({ ...drag, distance, to: drag.from + Math.round(distance / drag.rowHeight) })
    // Keeps the dragged row in view in long lists.
    list.current?.children[drag.from]?.scrollIntoView({ block: 'nearest' })
  }

  function drop() {
    if (drag !== null && drag.to !== drag.from) onMove(drag.id, drag.to)
    setDrag(null)
  }

  return {
    draggedId: drag?.id ?? null,
    styleOf: (index: number) => (drag === null ? {} : shifted(drag, index)),
    handlers: (id: string, index: number) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => start(event, id, index),
      onPointerMove: follow,
      onPointerUp: drop,
      onPointerCancel: () => setDrag(null),
    }),
  }
}

function topOf(list: DragOptions['list']): number {
  return list.current?.getBoundingClientRect().top ?? 0
}

function shifted({ from, to, distance, rowHeight }: Drag, index: number): CSSProperties {
  if (index === from) return { transform: `translateY(${distance}px)` }
  if (index > from && index <= to) return { transform: `translateY(${-rowHeight}px)` }
  if (index < from && index >= to) return { transform: `translateY(${rowHeight}px)` }
  return {}
}
