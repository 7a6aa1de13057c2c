import type { Room } from '@foyer/protocol/rooms'
import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { byKeys, type Way } from '#src/ui/lists/row-steps.ts'
import { type DragHandlers, useRowDrag } from '#src/ui/lists/use-row-drag.ts'
import { fetchedSoon } from '#src/ui/loading/lazy-popup.tsx'
import type { moveWords } from './move-words.ts'
import { markOf, moveTo, type RoomSlot, slotAbove, slotAt, slotBelow } from './room-order.ts'
import type { ListedRooms } from './use-room-list.ts'

const loadWords = fetchedSoon(() => import('./move-words.ts'))

const slotOnWay = { up: slotAbove, down: slotBelow }

/** The look of a row during a drag. */
export interface RowLook {
  readonly isDragged: boolean
  readonly mark: 'before' | 'after' | undefined
}

/** Actions of the rows. The functions stay the same while the list is mounted. */
export interface MoveActions {
  readonly step: (room: Room, way: Way) => void
  readonly canStep: (room: Room, way: Way) => boolean
  /** Returns the handlers that make a row movable. */
  readonly handlersOf: (roomId: string) => RowHandlers
}

type RowHandlers = DragHandlers & { onKeyDown: (event: KeyboardEvent) => void }

/** Moves rooms in their list: by dragging, with keys, or step by step from a menu. */
export function useRoomMoves({ groups, find, move }: ListedRooms, list: RefObject<HTMLElement | null>) {
  const [announcement, setAnnouncement] = useState('')
  const keepFocus = useKeptFocus(list)
  const drag = useRowDrag<RoomSlot>({
    list,
    row: 'room',
    placeAt: (id, over) => {
      const room = find(id)
      return room === undefined ? null : slotAt(groups, room, over)
    },
    onDrop: put,
  })

  function put(id: string, slot: RoomSlot) {
    const room = find(id)
    const to = room === undefined ? null : moveTo(groups, room, slot)
    if (room === undefined || to === null) return
    move(room, to)
    announce((words) => setAnnouncement(words(room, slot, find)))
  }

  function step(room: Room, way: Way) {
    const slot = slotOnWay[way](groups, room)
    if (slot === null) return
    keepFocus(room.id)
    put(room.id, slot)
  }

  const dragged = find(drag.draggedId ?? '')
  const mark = dragged === undefined || drag.place === null ? null : markOf(groups, dragged, drag.place)

  return {
    isDragging: dragged !== undefined,
    draggedId: drag.draggedId,
    /** Describes the last move to screen readers. */
    announcement,
    actions: useActions({
      step,
      canStep: (room, way) => slotOnWay[way](groups, room) !== null,
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

/** Announces nothing if the texts cannot be loaded. */
function announce(say: (words: typeof moveWords) => void): void {
  loadWords().then(
    ({ moveWords }) => say(moveWords),
    () => undefined,
  )
}

function lookOf(roomId: string, dragged: Room | undefined, mark: ReturnType<typeof markOf>): RowLook {
  return { isDragged: roomId === dragged?.id, mark: roomId === mark?.id ? mark.side : undefined }
}

/** Wraps the latest actions in stable functions. Otherwise every change of a row would render all rows. */
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

/** Restores the focus of a row, which loses it when it moves in the page. */
function useKeptFocus(list: RefObject<HTMLElement | null>) {
  const id = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (id.current === null) return
    list.current?.querySelector<HTMLElement>(`[data-room="${id.current}"] :is(a, button)`)?.focus()
    id.current = null
  })
  return (roomId: string) => {
    id.current = roomId
  }
}
