import { Permission } from '@foyer/protocol/permissions'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { ChannelPane } from '#src/channels/pane/channel-pane.tsx'
import { t } from '#src/language/texts.ts'
import { RoomDenied } from '#src/rooms/page/room-denied.tsx'
import type { ThreadEntry } from '#src/store/state.ts'
import { PageLink } from '#src/ui/buttons/page-link.tsx'
import { threadWords } from '../names/thread-words.ts'
import { ThreadRest } from './thread-rest.tsx'

interface ThreadPaneProps {
  entry: ThreadEntry
  channel: OpenChannel
  messageId: string | undefined
}

/** The messages of a thread and the composer, after a line that says if it sleeps or is closed. */
export function ThreadPane({ entry, channel, messageId }: ThreadPaneProps) {
  return (
    <>
      <ThreadRest entry={entry} mayWrite={channel.may(Permission.SendMessages)} />
      <ChannelPane
        channel={channel}
        beginning={<Beginning entry={entry} />}
        denied={<Denied entry={entry} />}
        messageId={messageId}
      />
    </>
  )
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
