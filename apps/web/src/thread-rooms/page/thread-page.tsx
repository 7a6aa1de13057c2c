import { useEffect } from 'react'
import { useBeside } from '#src/channels/pane/use-beside.ts'
import { PostBar } from '#src/forums/post/post-bar.tsx'
import { t } from '#src/language/texts.ts'
import { MemberList } from '#src/members/list/member-list.tsx'
import { ThreadSide } from '#src/messages/threads/thread-side.tsx'
import { useAppState } from '#src/session/context.ts'
import { rememberRoom } from '#src/session/place.ts'
import { RoomBanners } from '#src/spaces/room-banners.tsx'
import type { ThreadEntry } from '#src/store/state.ts'
import { Drawer } from '#src/ui/dialogs/drawer.tsx'
import { useTitle } from '#src/unread/use-title.ts'
import { ThreadHeader } from './thread-header.tsx'
import { ThreadPane } from './thread-pane.tsx'
import { useThreadChannel } from './use-thread-channel.ts'

export interface ThreadPageProps {
  entry: ThreadEntry
  messageId: string | undefined
  openDrawer: (() => void) | null
}

/** An open thread, and beside it the members who may view its room. */
export function ThreadPage({ entry, messageId, openDrawer }: ThreadPageProps) {
  const { id, name, space_id: spaceId, parent_id: roomId } = entry
  const channel = useThreadChannel(entry)
  const { people, search } = useBeside(id)
  const members = <MemberList key={spaceId} spaceId={spaceId} roomId={roomId} nameOf={channel.nameOf} />
  const spaceName = useAppState((state) => state.spaces[spaceId]?.name ?? '')
  useTitle(name, spaceName)
  // Opening the space again opens the thread's room instead of the thread, because threads are not loaded then.
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
        <ThreadPane key={id} entry={entry} channel={channel} messageId={messageId} />
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
