import { type Room, RoomType } from '@foyer/protocol/rooms'
import { Suspense, useEffect } from 'react'
import { useBeside } from '#src/channels/use-beside.ts'
import { t } from '#src/language/texts.ts'
import '#src/members/member-list.css'
import { useRoomChannel } from '#src/channels/use-room-channel.ts'
import { useAppState } from '#src/session/context.ts'
import { rememberRoom } from '#src/session/place.ts'
import { ThreadSide } from '#src/threads/thread-side.tsx'
import { Drawer } from '#src/ui/dialogs/drawer.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { useTitle } from '#src/unread/use-title.ts'
import { RoomHeader } from './room-header.tsx'
import { roomName } from './room-name.ts'
import { TextRoom } from './text-room.tsx'
import { useNames } from './use-names.ts'
import { useVoiceChat } from './voice-chat/use-voice-chat.ts'

const MemberList = lazyComponent(() =>
  import('#src/members/member-list.tsx').then((module) => module.MemberList),
)

const VoiceRoom = lazyPopup(() => import('./voice-chat/voice-room.tsx').then((module) => module.VoiceRoom))

interface RoomPageProps {
  room: Room
  messageId: string | undefined
  openDrawer: (() => void) | null
}

/** An open room and the members who may view it, in a drawer on narrow windows. */
export function RoomPage({ room, messageId, openDrawer }: RoomPageProps) {
  const spaceId = room.space_id
  const nameOf = useNames(spaceId)
  const { people, search } = useBeside(room.id, useVoiceChat(room.id))
  const members = (
    <Suspense fallback={<aside className="member-list" aria-label={t('Members')} aria-busy="true" />}>
      <MemberList key={spaceId} spaceId={spaceId} roomId={room.id} nameOf={nameOf} />
    </Suspense>
  )
  useEffect(() => rememberRoom(spaceId, room.id), [spaceId, room.id])

  const spaceName = useAppState((state) => state.spaces[spaceId]?.name ?? '')
  useTitle(roomName(room), spaceName)

  return (
    <>
      <section className="page" aria-label={roomName(room)}>
        <RoomHeader
          room={room}
          openDrawer={openDrawer}
          search={search}
          showsMembers={people.isShown}
          onToggleMembers={people.toggle}
        />
        {room.type === RoomType.Text ? (
          <TextRoom key={room.id} room={room} messageId={messageId} />
        ) : (
          <VoiceRoom key={room.id} room={room} messageId={messageId} />
        )}
      </section>
      {people.isBeside && members}
      <RoomThread key={room.id} room={room} />
      {!people.hasRoom && (
        <Drawer open={people.isDrawn} onOpenChange={people.setIsDrawn} side="end" label={t('Members')}>
          {members}
        </Drawer>
      )}
    </>
  )
}

function RoomThread({ room }: { room: Room }) {
  return <ThreadSide channel={useRoomChannel(room)} />
}
