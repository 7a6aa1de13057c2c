import type { Room } from '@foyer/protocol/rooms'
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { fetchedSoon } from '#src/ui/lazy-popup.tsx'
import { byKeys, type Way } from '#src/ui/row-steps.ts'
import { type DragHandlers, useRowDrag } from '#src/ui/use-row-drag.ts'
import type { moveWords } from './move-words.ts'
import { markOf, moveTo, type Place, placeAbove, placeAt, placeBelow } from './room-order.ts'
import type { ListedRooms } from './use-room-list.ts'

const loadWords = fetchedSoon(() => import('./move-words.ts'))

const placeOnWay = { up: placeAbove, down: placeBelow }

/** How a row shows what is being moved where. */
export interface RowLook {
  readonly isDragged: boolean
  readonly mark: 'before' | 'after' | undefined
}

/** What rows can have done, the same functions as long as the list is there. */
export interface MoveActions {
  readonly step: (room: Room, way: Way) => void
  readonly canStep: (room: Room, way: Way) => boolean
  /** What makes a row one that can be moved. */
  readonly handlersOf: (roomId: string) => RowHandlers
}

type RowHandlers = DragHandlers & { onKeyDown: (event: KeyboardEvent) => void }

/** The ways to move rooms in their list: by dragging, by keys, and step by step from a menu. */
export function useRoomMoves({ groups, find, move }: ListedRooms, list: RefObject<HTMLElement | null>) {
  const [notice, setNotice] = useState('')
  const keepFocus = useKeptFocus(list)
  const drag = useRowDrag<Place>({
    list,
    row: 'room',
    placeAt: (id, over) => {
      const room = find(id)
      return room === undefined ? null : placeAt(groups, room, over)
    },
    onDrop: put,
  })

  function put(id: string, place: Place) {
    const room = find(id)
    const to = room === undefined ? null : moveTo(groups, room, place)
    if (room === undefined || to === null) return
    move(room, to)
    announce((words) => setNotice(words(room, place, find)))
  }

  function step(room: Room, way: Way) {
    const place = placeOnWay[way](groups, room)
    if (place === null) return
    keepFocus(room.id)
    put(room.id, place)
  }

  const dragged = find(drag.draggedId ?? '')
  const mark = dragged === undefined || drag.place === null ? null : markOf(groups, dragged, drag.place)

  return {
    isDragging: dragged !== undefined,
    draggedId: drag.draggedId,
    /** What happened, for those who do not see it. */
    notice,
    actions: useActions({
      step,
      canStep: (room, way) => placeOnWay[way](groups, room) !== null,
      handlersOf: (roomId) => ({
        ...drag.handlers(roomId),
        onKeyDown: byKeys((way) => {
          const room = find(roomId)
          if (room !== undefined) step(room, way)
        }),
      }),
    }),
    lookOf: (roomId: string) => lookOf(roomId, dragged, mark),
  }
}

/** A move needs no words where they cannot be had. */
function announce(say: (words: typeof moveWords) => void): void {
  loadWords().then(
    ({ moveWords }) => say(moveWords),
    () => undefined,
  )
}

function lookOf(roomId: string, dragged: Room | undefined, mark: ReturnType<typeof markOf>): RowLook {
  return { isDragged: roomId === dragged?.id, mark: roomId === mark?.id ? mark.side : undefined }
}

/** The newest of them behind functions that stay: rows are not drawn anew for every change of another. */
function useActions(newest: MoveActions): MoveActions {
  const latest = useRef(newest)
  latest.current = newest
  return useMemo(() => {
    const of = (roomId: string) => latest.current.handlersOf(roomId)
    return {
      step: (room, way) => latest.current.step(room, way),
      canStep: (room, way) => latest.current.canStep(room, way),
      handlersOf: (roomId) => ({
        onPointerDown: (event) => of(roomId).onPointerDown(event),
        onPointerMove: (event) => of(roomId).onPointerMove(event),
        onPointerUp: () => of(roomId).onPointerUp(),
        onPointerCancel: () => of(roomId).onPointerCancel(),
        onClickCapture: (event) => of(roomId).onClickCapture(event),
        onKeyDown: (event) => of(roomId).onKeyDown(event),
      }),
    }
  }, [])
}

/** A row that is put elsewhere in the page loses the focus: it gets it back. */
function useKeptFocus(list: RefObject<HTMLElement | null>) {
  const id = useRef<string | null>(null)
  useEffect(() => {
    if (id.current === null) return
    list.current?.querySelector<HTMLElement>(`[data-room="${id.current}"] :is(a, button)`)?.focus()
    id.current = null
  })
  return (roomId: string) => {
    id.current = roomId
  }
}
