import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { isWithin } from './is-within.ts'

/** The hovered half of a row. */
export interface Over {
  readonly id: string
  readonly half: 'upper' | 'lower'
}

interface RowDragOptions<Place extends object> {
  /** The scroll container of the rows. */
  list: RefObject<HTMLElement | null>
  /** Name of the `data-` attribute that holds a row's id. */
  row: string
  placeAt: (id: string, over: Over) => Place | null
  onDrop: (id: string, place: Place) => void
}

export interface DragHandlers {
  onPointerDown(event: PointerEvent<HTMLElement>): void
  onPointerMove(event: PointerEvent<HTMLElement>): void
  onPointerUp(): void
  onPointerCancel(): void
  onClickCapture(event: MouseEvent): void
}

interface Drag<Place> {
  readonly id: string
  readonly place: Place | null
}

interface Press {
  readonly id: string
  readonly pointerId: number
  readonly x: number
  readonly y: number
}

/** Distance in pixels within which a press is not yet a drag. */
const SLACK = 5
/** Distance in pixels from the ends of the list at which it scrolls, and the pixels per step. */
const EDGE = 28
const STEP = 10

/**
 * Drags rows by mouse or pen. Until the drop, only the target is marked, because moving rows would shift under the
 * pointer. On touch screens, a drag scrolls the list, and users move rows with the menu instead.
 */
export function useRowDrag<Place extends object>({ list, row, placeAt, onDrop }: RowDragOptions<Place>) {
  const [drag, setDrag] = useState<Drag<Place> | null>(null)
  const press = useRef<Press | null>(null)
  const isDragged = useRef(false)

  useEscape(drag !== null, () => end(false))

  function start(event: PointerEvent<HTMLElement>, id: string) {
    isDragged.current = false
    setDrag(null)
    if (event.pointerType === 'touch' || event.button !== 0 || isOnButton(event) || !isWithin(event)) return
    press.current = { id, pointerId: event.pointerId, x: event.clientX, y: event.clientY }
  }

  function follow(event: PointerEvent<HTMLElement>) {
    const { current } = press
    if (current === null || event.pointerId !== current.pointerId) return
    const distance = Math.hypot(event.clientX - current.x, event.clientY - current.y)
    if (!isDragged.current && distance < SLACK) return
    isDragged.current = true
    event.currentTarget.setPointerCapture(event.pointerId)
    scrollAlong(list.current, event.clientY)
    const over = rowAt(list.current, row, event.clientY)
    setDrag({ id: current.id, place: over && placeAt(current.id, over) })
  }

  function end(isDropped: boolean) {
    press.current = null
    if (isDropped && drag?.place) onDrop(drag.id, drag.place)
    setDrag(null)
  }

  return {
    draggedId: drag?.id ?? null,
    place: drag?.place ?? null,
    handlers: (id: string): DragHandlers => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => start(event, id),
      onPointerMove: follow,
      onPointerUp: () => end(true),
      onPointerCancel: () => end(false),
      // A drag must not also open the row.
      onClickCapture: (event: MouseEvent) => {
        const isByKey = event.detail === 0
        if (!isDragged.current || isByKey) return
        event.preventDefault()
        event.stopPropagation()
      },
    }),
  }
}

/** While `isOn`, Escape calls `cancel` and nothing else. */
function useEscape(isOn: boolean, cancel: () => void) {
  const latest = useRef(cancel)
  latest.current = cancel
  useEffect(() => {
    if (!isOn) return
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      latest.current()
    }
    window.addEventListener('keydown', listen, { capture: true })
    return () => window.removeEventListener('keydown', listen, { capture: true })
  }, [isOn])
}

function isOnButton({ target }: PointerEvent): boolean {
  return target instanceof Element && target.closest('button:not(.category-toggle)') !== null
}

function scrollAlong(list: HTMLElement | null, y: number): void {
  const rect = list?.getBoundingClientRect()
  if (rect === undefined) return
  if (y < rect.top + EDGE) list?.scrollBy(0, -STEP)
  if (y > rect.bottom - EDGE) list?.scrollBy(0, STEP)
}

/** Returns the row at this height, or the nearest one. */
function rowAt(list: HTMLElement | null, name: string, y: number): Over | null {
  const rows = [...(list?.querySelectorAll<HTMLElement>(`[data-${name}]`) ?? [])].map((row) => {
    const { top, bottom } = row.getBoundingClientRect()
    return { id: row.dataset[name] ?? '', middle: (top + bottom) / 2, away: Math.max(top - y, y - bottom, 0) }
  })
  const [nearest] = rows.sort((a, b) => a.away - b.away)
  return nearest === undefined ? null : { id: nearest.id, half: y < nearest.middle ? 'upper' : 'lower' }
}
