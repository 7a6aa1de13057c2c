import { Permission } from '@foyer/protocol/permissions'
import { useEffect, useMemo } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { ChannelPane } from '#src/channels/pane/channel-pane.tsx'
import { useBeside } from '#src/channels/pane/use-beside.ts'
import { PostBar } from '#src/forums/post/post-bar.tsx'
import { answeringOf } from '#src/forums/post/solving.ts'
import { t } from '#src/language/texts.ts'
import { MemberList } from '#src/members/list/member-list.tsx'
import { ThreadSide } from '#src/messages/threads/thread-side.tsx'
import { RoomDenied } from '#src/rooms/page/room-denied.tsx'
import { useRoomChannel } from '#src/rooms/page/use-room-channel.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { rememberRoom } from '#src/session/place.ts'
import { RoomBanners } from '#src/spaces/room-banners.tsx'
import type { ThreadEntry } from '#src/store/state.ts'
import { PageLink } from '#src/ui/buttons/page-link.tsx'
import { Drawer } from '#src/ui/dialogs/drawer.tsx'
import { useTitle } from '#src/unread/use-title.ts'
import { threadWords } from '../names/thread-words.ts'
import { withoutSending } from './closed-threads.ts'
import { ThreadHeader } from './thread-header.tsx'
import { ThreadRest } from './thread-rest.tsx'

interface ThreadPageProps {
  entry: ThreadEntry
  messageId: string | undefined
  openDrawer: (() => void) | null
}

/** An open thread, beside it the members who may view its room. */
export function ThreadPage({ entry, messageId, openDrawer }: ThreadPageProps) {
  const { id, name, space_id: spaceId, parent_id: roomId } = entry
  const channel = useThreadChannel(entry)
  const { people, search } = useBeside(id)
  const members = <MemberList key={spaceId} spaceId={spaceId} roomId={roomId} nameOf={channel.nameOf} />
  const spaceName = useAppState((state) => state.spaces[spaceId]?.name ?? '')
  useTitle(name, spaceName)
  // Opening the space again opens the thread's room, because threads are not loaded then.
  useEffect(() => rememberRoom(spaceId, roomId), [spaceId, roomId])

  return (
    <>
      <section className="page" aria-label={name}>
        <ThreadHeader
          entry={entry}
          channel={channel}
          openDrawer={openDrawer}
          search={search}
          showsMembers={people.isShown}
          onToggleMembers={people.toggle}
        />
        <RoomBanners key={spaceId} spaceId={spaceId} roomId={roomId} />
        <PostBar entry={entry} channel={channel} />
        <ThreadRest entry={entry} mayWrite={channel.may(Permission.SendMessages)} />
        <ChannelPane
          key={id}
          channel={channel}
          beginning={<Beginning entry={entry} />}
          denied={<Denied entry={entry} />}
          messageId={messageId}
        />
      </section>
      {people.isBeside && members}
      <ThreadSide key={id} channel={channel} />
      {!people.hasRoom && (
        <Drawer open={people.isDrawn} onOpenChange={people.setIsDrawn} side="end" label={t('Members')}>
          {members}
        </Drawer>
      )}
    </>
  )
}

/** The thread as a channel. Only members with ManageThreads write in a closed one. */
function useThreadChannel(entry: ThreadEntry): OpenChannel {
  const channel = useRoomChannel(entry)
  const session = useSession()
  const myId = useAppState(({ me }) => me?.id)
  const isManager = channel.may('ManageThreads')
  const isClosed = entry.thread.is_closed && !isManager
  return useMemo(() => {
    const answering = isClosed ? undefined : answeringOf(session, entry, { myId, isManager })
    const own = isClosed ? withoutSending(channel) : channel
    return answering === undefined ? own : { ...own, answering }
  }, [channel, session, entry, myId, isManager, isClosed])
}

function Beginning({ entry: { name, last_seq, thread } }: { entry: ThreadEntry }) {
  const { space_id, room_id, starter_message_id } = thread
  return (
    <>
      <h2 dir="auto">{name}</h2>
      <p>{last_seq === 0 ? t('No messages yet. Say hello!') : threadWords(thread).beginning}</p>
      {starter_message_id !== null && (
        <p>
          <PageLink href={`/spaces/${space_id}/rooms/${room_id}/${starter_message_id}`}>
            {t('Go to original message')}
          </PageLink>
        </p>
      )}
    </>
  )
}

function Denied({ entry }: { entry: ThreadEntry }) {
  if (entry.thread.is_closed) return threadWords(entry.thread).isClosed
  return <RoomDenied room={entry} />
}
