import { type Room, RoomType } from '@foyer/protocol/rooms'
import { Suspense, useEffect, useState } from 'react'
import { t } from '#src/language/texts.ts'
import '#src/members/member-list.css'
import { useRoomChannel } from '#src/channels/use-room-channel.ts'
import { useAppState } from '#src/session/context.ts'
import { rememberRoom } from '#src/session/place.ts'
import { useOpenThread } from '#src/threads/open-thread.ts'
import { ThreadSide } from '#src/threads/thread-side.tsx'
import { Drawer } from '#src/ui/drawer.tsx'
import { lazyComponent } from '#src/ui/lazy.tsx'
import { lazyPopup } from '#src/ui/lazy-popup.tsx'
import { useMediaQuery, VERY_WIDE } from '#src/ui/use-media-query.ts'
import { useTitle } from '#src/unread/use-title.ts'
import { RoomHeader } from './room-header.tsx'
import { roomName } from './room-name.ts'
import { TextRoom } from './text-room.tsx'
import { useNames } from './use-names.ts'
import { useVoiceChat } from './use-voice-chat.ts'

const MemberList = lazyComponent(() =>
  import('#src/members/member-list.tsx').then((module) => module.MemberList),
)

const VoiceRoom = lazyPopup(() => import('./voice-room.tsx').then((module) => module.VoiceRoom))

interface RoomPageProps {
  room: Room
  messageId: string | undefined
  openDrawer: (() => void) | null
}

/** An open room with those members beside it who may view it, or in a drawer where there is no room for them. */
export function RoomPage({ room, messageId, openDrawer }: RoomPageProps) {
  const spaceId = room.space_id
  const nameOf = useNames(spaceId)
  const isVeryWide = useMediaQuery(VERY_WIDE)
  const [isListed, setIsListed] = useState(true)
  const [isDrawn, setIsDrawn] = useState(false)
  const chat = useVoiceChat(room.id)
  const isListedBeside = useOpenThread(room.id) === null && !chat.isOpen && isListed
  const showsMembers = isVeryWide ? isListedBeside : isDrawn
  const members = (
    <Suspense fallback={<aside className="member-list" aria-label={t('Members')} aria-busy="true" />}>
      <MemberList key={spaceId} spaceId={spaceId} roomId={room.id} nameOf={nameOf} />
    </Suspense>
  )
  useEffect(() => rememberRoom(spaceId, room.id), [spaceId, room.id])

  function toggleMembers() {
    if (!isVeryWide) return setIsDrawn(true)
    // A thread stands in their place, or the chat of a voice room.
    chat.turn(false)
    setIsListed(!showsMembers)
  }

  const spaceName = useAppState((state) => state.spaces[spaceId]?.name ?? '')
  useTitle(roomName(room), spaceName)

  return (
    <>
      <section className="page" aria-label={roomName(room)}>
        <RoomHeader
          room={room}
          openDrawer={openDrawer}
          showsMembers={showsMembers}
          onToggleMembers={toggleMembers}
        />
        {room.type === RoomType.Text ? (
          <TextRoom key={room.id} room={room} messageId={messageId} />
        ) : (
          <VoiceRoom key={room.id} room={room} messageId={messageId} />
        )}
      </section>
      {isVeryWide && isListedBeside && members}
      <RoomThread key={room.id} room={room} />
      {!isVeryWide && (
        <Drawer open={isDrawn} onOpenChange={setIsDrawn} side="end" label={t('Members')}>
          {members}
        </Drawer>
      )}
    </>
  )
}

function RoomThread({ room }: { room: Room }) {
  return <ThreadSide channel={useRoomChannel(room)} />
}
