import type { Room } from '@foyer/protocol/rooms'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import type { State } from '#src/store/state.ts'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import { listedRooms } from './listed-rooms.ts'
import { type Move, withMove } from './room-order.ts'

interface RoomOrder {
  /** The rooms as they will be once the server has applied every move. */
  readonly rooms: State['rooms']
  readonly error: string | null
  move(room: Room, move: Move): void
}

interface Wanted {
  readonly rooms: State['rooms']
  readonly isAnswered: boolean
}

/** Time the gateway may take to dispatch a move after the server confirmed it. */
const PATIENCE_MS = 1500

/** Returns the rooms in order. Moves are shown at once and sent one after another. */
export function useRoomOrder(spaceId: string): RoomOrder {
  const { client } = useSession()
  const pick = useMemo(() => listedRooms(spaceId), [spaceId])
  const known = useAppState((state) => pick(state.rooms))
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const [error, setError] = useState<string | null>(null)
  const last = useRef<Promise<boolean>>(Promise.resolve(true))
  const rooms = wanted === null ? known : placed(known, wanted.rooms, spaceId)
  const isKnown = rooms === known

  useEffect(() => {
    if (wanted?.isAnswered !== true) return
    // Keeps a newer move. If it were dropped, its row would jump back and lose the focus.
    const forget = () => setWanted((now) => (now === wanted ? null : now))
    const timer = setTimeout(forget, isKnown ? 0 : PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [wanted, isKnown])

  function move(room: Room, to: Move) {
    const after = withMove(rooms, room, to)
    setError(null)
    setWanted({ rooms: after, isAnswered: false })
    const sent = last.current.then(() => send(room.id, to))
    last.current = sent
    void sent.then((isTaken) => {
      if (last.current === sent) setWanted(isTaken ? { rooms: after, isAnswered: true } : null)
    })
  }

  async function send(roomId: string, to: Move): Promise<boolean> {
    try {
      await client.rooms.update(spaceId, roomId, to)
      return true
    } catch (thrown) {
      setError(errorMessage(thrown))
      return false
    }
  }

  return { rooms, error, move }
}

/** Applies the wanted positions to the known rooms. Returns the known rooms unchanged if a room was added or removed since. */
function placed(known: State['rooms'], wanted: State['rooms'], spaceId: string): State['rooms'] {
  const ofSpace = Object.values(known).filter((room) => room.space_id === spaceId)
  const positions = ofSpace.map((room) => wanted[room.id])
  const count = Object.values(wanted).filter((room) => room.space_id === spaceId).length
  if (count !== ofSpace.length || positions.includes(undefined)) return known
  const moved = ofSpace.flatMap((room, index) => {
    const { position, parent_id } = positions[index] ?? room
    const isThere = room.position === position && room.parent_id === parent_id
    return isThere ? [] : [[room.id, { ...room, position, parent_id }] as const]
  })
  return moved.length === 0 ? known : { ...known, ...Object.fromEntries(moved) }
}
