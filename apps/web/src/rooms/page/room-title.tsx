import type { Room } from '@foyer/protocol/rooms'
import { useMemo } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { readableLine, withoutMarks } from '#src/mentions/readable.ts'
import { useAppState } from '#src/session/context.ts'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { usePopup } from '#src/ui/popups/use-popup.ts'
import { RoomSign } from '../names/room-icon.tsx'
import { roomName } from '../names/room-name.ts'

const TopicPopup = lazyPopup(() => import('./topic-popup.tsx').then((module) => module.TopicPopup))

interface RoomTitleProps {
  room: Room
  channel: OpenChannel
  /** True if the header is too narrow for the description. */
  isNarrow: boolean
}

/** The name of a room and one line of its description. Clicking the line, or the name if narrow, opens all of the description. */
export function RoomTitle({ room, channel, isNarrow }: RoomTitleProps) {
  const { isWanted, trigger, popup } = usePopup({ kind: 'dialog' })
  const line = useMemo(() => withoutMarks(room.description ?? ''), [room.description])
  const topic = useAppState((state) => readableLine(state, channel, line))
  const name = (
    <>
      <RoomSign room={room} />
      <span dir="auto">{roomName(room)}</span>
    </>
  )
  return (
    <>
      <h1 className="page-title">
        {isNarrow && topic !== '' ? (
          <button type="button" {...trigger} className="page-title-button">
            {name}
          </button>
        ) : (
          name
        )}
      </h1>
      <div className="page-topic">
        {!isNarrow && topic !== '' && (
          <button type="button" {...trigger} dir="auto">
            {topic}
          </button>
        )}
      </div>
      {isWanted && topic !== '' && <TopicPopup popup={popup} room={room} />}
    </>
  )
}
