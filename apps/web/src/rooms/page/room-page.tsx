import { type Room, RoomType } from '@foyer/protocol/rooms'
import { type ReactNode, Suspense, useEffect } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { useBeside } from '#src/channels/pane/use-beside.ts'
import { t } from '#src/language/texts.ts'
import '#src/members/list/member-list.css'
import { useNames } from '#src/members/use-names.ts'
import { ThreadSide } from '#src/messages/threads/thread-side.tsx'
import { useAppState } from '#src/session/context.ts'
import { rememberRoom } from '#src/session/place.ts'
import { Drawer } from '#src/ui/dialogs/drawer.tsx'
import { noteContentShown } from '#src/ui/loading/content-shown.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { lazyNote, lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { useTitle } from '#src/unread/use-title.ts'
import { roomName } from '../names/room-name.ts'
import { useVoiceChat } from '../use-voice-chat.ts'
import { RoomHeader } from './room-header.tsx'
import { TextRoom } from './text-room.tsx'
import { useRoomChannel } from './use-room-channel.ts'

const MemberList = lazyComponent(() =>
  import('#src/members/list/member-list.tsx').then((module) => module.MemberList),
)

const RoomBanners = lazyNote(() =>
  import('#src/spaces/room-banners.tsx').then((module) => module.RoomBanners),
)
const ForumPane = lazyPopup(() => import('./forum-pane.tsx').then((module) => module.ForumPane))
const VoiceRoom = lazyPopup(() => import('./voice-chat/voice-room.tsx').then((module) => module.VoiceRoom))

/** A thread of the room, in a panel beside it. */
export interface ThreadBesideRoom {
  readonly name: string
  readonly path: string
  readonly panel: ReactNode
}

interface RoomPageProps {
  room: Room
  messageId: string | undefined
  thread: ThreadBesideRoom | null
  openDrawer: (() => void) | null
}

/** An open room and the members who may view it, in a drawer on narrow windows. */
export function RoomPage({ room, messageId, thread, openDrawer }: RoomPageProps) {
  const spaceId = room.space_id
  const nameOf = useNames(spaceId)
  const chat = useVoiceChat(room.id)
  const leaveThread = thread && (() => navigate(`/spaces/${spaceId}/rooms/${room.id}`))
  const { people, search } = useBeside(room.id, { chat, leaveThread })
  const members = (
    <Suspense fallback={<aside className="member-list" aria-label={t('Members')} aria-busy="true" />}>
      <MemberList key={spaceId} spaceId={spaceId} roomId={room.id} nameOf={nameOf} />
    </Suspense>
  )
  useEffect(() => rememberRoom(spaceId, room.id), [spaceId, room.id])
  useEffect(() => {
    if (room.type !== RoomType.Text) noteContentShown()
  }, [room.type])

  const spaceName = useAppState((state) => state.spaces[spaceId]?.name ?? '')
  useTitle(thread?.name ?? roomName(room), spaceName)

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
        <RoomBanners key={spaceId} spaceId={spaceId} roomId={room.id} />
        {room.type === RoomType.Text ? (
          <TextRoom key={room.id} room={room} messageId={messageId} home={thread?.path} />
        ) : room.type === RoomType.Forum ? (
          <ForumPane key={room.id} room={room} />
        ) : (
          <VoiceRoom key={room.id} room={room} messageId={messageId} />
        )}
      </section>
      {people.isBeside && members}
      {thread?.panel}
      <RoomReplies key={room.id} room={room} />
      {!people.hasRoom && (
        <Drawer open={people.isDrawn} onOpenChange={people.setIsDrawn} side="end" label={t('Members')}>
          {members}
        </Drawer>
      )}
    </>
  )
}

function RoomReplies({ room }: { room: Room }) {
  return <ThreadSide channel={useRoomChannel(room)} />
}
