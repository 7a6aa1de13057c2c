import { MAX_REPLY_COUNT } from '@foyer/protocol/limits'
import type { Message, ThreadReplies } from '@foyer/protocol/messages'
import { useChannel } from '#src/channels/channel-context.ts'
import { counted, t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { useAppState, useSession } from '#src/session/context.ts'
import { blockedIn } from '#src/store/friends.ts'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import { formatAgo } from '#src/ui/time/ago.ts'
import { openThread } from '../reading/open-thread.ts'
import './thread-line.css'

interface ThreadLineProps {
  message: Pick<Message, 'id'>
  replies: ThreadReplies
}

/** Reply count below a message, which opens the thread. */
export function ThreadLine({ message, replies }: ThreadLineProps) {
  const session = useSession()
  const channel = useChannel()
  const tabIndex = useRowPart()
  const blocks = useAppState((state) => blockedIn(state, channel.id))
  // A thread shows the replies themselves, so it needs no link to them.
  if (channel.threadId !== undefined) return null
  return (
    <button
      type="button"
      className="thread-line"
      tabIndex={tabIndex}
      onClick={() => openThread(session, channel.id, message.id)}
    >
      <span className="thread-faces">
        {replies.users.map(
          (user) =>
            !(user.id in blocks) && (
              <Avatar
                key={user.id}
                id={user.id}
                name={channel.nameOf(user)}
                size="xs"
                picture={user.avatar}
              />
            ),
        )}
      </span>
      <span className="thread-count">{replyCount(replies)}</span>
      <span className="thread-last">{formatAgo(replies.last_at)}</span>
    </button>
  )
}

/** Returns the reply count in words. The server counts only up to `MAX_REPLY_COUNT`. */
export function replyCount({ count }: Pick<ThreadReplies, 'count'>): string {
  if (count >= MAX_REPLY_COUNT) return t('{count}+ replies', { count: MAX_REPLY_COUNT })
  return counted(count, '{count} reply', '{count} replies')
}
