import type { Room } from '@foyer/protocol/rooms'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import type { State } from '#src/store/state.ts'
import { errorMessage } from '#src/ui/form-errors.ts'
import { listedRooms } from './listed-rooms.ts'
import { type Move, withMove } from './room-order.ts'

interface RoomOrder {
  /** Those of the space as they will stand once the server has taken in every move. */
  readonly rooms: State['rooms']
  readonly error: string | null
  move(room: Room, move: Move): void
}

interface Wanted {
  readonly rooms: State['rooms']
  readonly isAnswered: boolean
}

/** How long the gateway may take to tell of a move that was answered. */
const PATIENCE_MS = 1500

/** The rooms in their order. Moves are shown at once and sent one after the other. */
export function useRoomOrder(spaceId: string): RoomOrder {
  const { client } = useSession()
  const pick = useMemo(() => listedRooms(spaceId), [spaceId])
  const told = useAppState((state) => pick(state.rooms))
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const [error, setError] = useState<string | null>(null)
  const last = useRef<Promise<boolean>>(Promise.resolve(true))
  const rooms = wanted === null ? told : placed(told, wanted.rooms, spaceId)
  const isTold = rooms === told

  useEffect(() => {
    if (wanted?.isAnswered !== true) return
    const timer = setTimeout(() => setWanted(null), isTold ? 0 : PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [wanted, isTold])

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

/** The rooms at the places that are wanted; as they are told when rooms came or went meanwhile, or nothing differs. */
function placed(told: State['rooms'], wanted: State['rooms'], spaceId: string): State['rooms'] {
  const ofSpace = Object.values(told).filter((room) => room.space_id === spaceId)
  const places = ofSpace.map((room) => wanted[room.id])
  const count = Object.values(wanted).filter((room) => room.space_id === spaceId).length
  if (count !== ofSpace.length || places.includes(undefined)) return told
  const moved = ofSpace.flatMap((room, index) => {
    const { position, parent_id } = places[index] ?? room
    const isThere = room.position === position && room.parent_id === parent_id
    return isThere ? [] : [[room.id, { ...room, position, parent_id }] as const]
  })
  return moved.length === 0 ? told : { ...told, ...Object.fromEntries(moved) }
}
