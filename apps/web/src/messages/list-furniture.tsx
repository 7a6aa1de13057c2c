import type { Room } from '@foyer/protocol/rooms'
import { Hash } from 'lucide-react'
import { roomName } from '#src/rooms/room-name.ts'
import type { Timeline } from '#src/store/state.ts'
import { formatDay } from '#src/ui/time.ts'

export function DayDivider({ date }: { date: string }) {
  return (
    <li className="divider">
      <time dateTime={date}>{formatDay(date)}</time>
    </li>
  )
}

export function NewDivider() {
  return (
    <li className="divider divider-new">
      <span>New</span>
    </li>
  )
}

/** The room's beginning once the reader is there, and until then that there is more. */
export function ListTop({ room, timeline }: { room: Room; timeline: Timeline | undefined }) {
  if (timeline === undefined) return null
  if (timeline.hasOlder) return <LoadingRows />
  return (
    <div className="list-top">
      <span className="list-top-icon">
        <Hash aria-hidden="true" />
      </span>
      <h2>This is the beginning of #{roomName(room)}</h2>
      <p>
        {room.description ??
          (timeline.messages.length === 0 ? 'Nobody has said anything yet. Say hello!' : '')}
      </p>
    </div>
  )
}

const widths = ['w1', 'w2', 'w3', 'w4']

/** The shape of messages that are on their way here. */
export function LoadingRows() {
  return (
    <div className="loading-rows" role="status" aria-label="Loading messages">
      {widths.map((width) => (
        <div key={width} className={`loading-row ${width}`}>
          <span />
          <span />
        </div>
      ))}
    </div>
  )
}
