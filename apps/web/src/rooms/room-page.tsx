import { type Room, RoomType } from '@foyer/protocol/rooms'
import { useEffect, useState } from 'react'
import { MemberList } from '#src/members/member-list.tsx'
import { useMembers } from '#src/members/use-members.ts'
import { useAppState } from '#src/session/context.ts'
import { rememberRoom } from '#src/session/place.ts'
import { Drawer } from '#src/ui/drawer.tsx'
import { useMediaQuery, VERY_WIDE } from '#src/ui/use-media-query.ts'
import { useTitle } from '#src/unread/use-title.ts'
import { RoomHeader } from './room-header.tsx'
import { roomName } from './room-name.ts'
import { TextRoom } from './text-room.tsx'
import { useNames } from './use-names.ts'
import { VoiceRoom } from './voice-room.tsx'

interface RoomPageProps {
  room: Room
  messageId: string | undefined
  openDrawer: (() => void) | null
}

/** An open room with the space's members beside it, or in a drawer where there is no room for them. */
export function RoomPage({ room, messageId, openDrawer }: RoomPageProps) {
  const spaceId = room.space_id
  const nameOf = useNames(spaceId)
  const pages = useMembers(spaceId)
  const isVeryWide = useMediaQuery(VERY_WIDE)
  const [isListed, setIsListed] = useState(true)
  const [isDrawn, setIsDrawn] = useState(false)
  const showsMembers = isVeryWide ? isListed : isDrawn
  const members = <MemberList spaceId={spaceId} nameOf={nameOf} pages={pages} />
  useEffect(() => rememberRoom(spaceId, room.id), [spaceId, room.id])
  const spaceName = useAppState((state) => state.spaces[spaceId]?.name ?? '')
  useTitle(`${roomName(room)} · ${spaceName}`)

  return (
    <>
      <section className="page" aria-label={roomName(room)}>
        <RoomHeader
          room={room}
          openDrawer={openDrawer}
          showsMembers={showsMembers}
          onToggleMembers={() => (isVeryWide ? setIsListed(!isListed) : setIsDrawn(true))}
        />
        {room.type === RoomType.Text ? (
          <TextRoom key={room.id} room={room} messageId={messageId} />
        ) : (
          <VoiceRoom room={room} />
        )}
      </section>
      {isVeryWide && isListed && members}
      {!isVeryWide && (
        <Drawer open={isDrawn} onOpenChange={setIsDrawn} side="right" label="Members">
          {members}
        </Drawer>
      )}
    </>
  )
}
