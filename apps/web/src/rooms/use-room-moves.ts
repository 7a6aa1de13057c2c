import type { Room } from '@foyer/protocol/rooms'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { roomName } from './room-name.ts'
import { markOf, moveTo, type Place, placeAbove, placeAt, placeBelow } from './room-order.ts'
import { useRoomDrag } from './use-room-drag.ts'
import type { ListedRooms } from './use-room-list.ts'

export type Way = 'up' | 'down'

const placeOnWay = { up: placeAbove, down: placeBelow }

/** The ways to move rooms in their list: by dragging, by keys, and step by step from a menu. */
export function useRoomMoves(
  { groups, managed, find, move }: ListedRooms,
  list: RefObject<HTMLElement | null>,
) {
  const [notice, setNotice] = useState('')
  const keepFocus = useKeptFocus(list)
  const drag = useRoomDrag({
    list,
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
    setNotice(wordsFor(room, place, find))
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
    /** What happened, for those who do not see it. */
    notice,
    step,
    canStep: (room: Room, way: Way) => placeOnWay[way](groups, room) !== null,
    /** What makes a row one that can be moved, if it is, and shows what is being moved where. */
    rowOf: (room: Room) => ({
      'data-room': room.id,
      'data-dragged': room === dragged || undefined,
      'data-mark': room.id === mark?.id ? mark.side : undefined,
      ...(managed.has(room.id)
        ? { ...drag.handlers(room.id), onKeyDown: byKeys((way) => step(room, way)) }
        : {}),
    }),
  }
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

function byKeys(step: (way: Way) => void) {
  return (event: KeyboardEvent) => {
    const way = wayOf(event)
    if (way === undefined) return
    event.preventDefault()
    step(way)
  }
}

function wayOf({ altKey, shiftKey, ctrlKey, metaKey, key }: KeyboardEvent): Way | undefined {
  // With others pressed beside it the keys lead to other rooms and spaces.
  if (!altKey || shiftKey || ctrlKey || metaKey) return undefined
  return key === 'ArrowUp' ? 'up' : key === 'ArrowDown' ? 'down' : undefined
}

function wordsFor(room: Room, { parentId, beforeId }: Place, find: ListedRooms['find']): string {
  const [category, next] = [find(parentId ?? ''), find(beforeId ?? '')]
  const where = category === undefined ? '' : ` in ${roomName(category)}`
  if (next === undefined) return `${roomName(room)} is now the last${where}.`
  return `${roomName(room)} is now before ${roomName(next)}${where}.`
}
