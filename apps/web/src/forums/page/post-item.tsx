import type { ForumTag } from '@foyer/protocol/forums'
import type { ListedThread } from '@foyer/protocol/thread-rooms'
import { CircleCheck, Lock, Pin } from 'lucide-react'
import { Link } from 'wouter'
import { counted, t } from '#src/language/texts.ts'
import { useNames } from '#src/members/use-names.ts'
import { excerpt } from '#src/mentions/readable.ts'
import { useAppState } from '#src/session/context.ts'
import { blockedIn } from '#src/store/friends.ts'
import { showsUnread } from '#src/store/selectors.ts'
import { isUnreadThread } from '#src/thread-rooms/list/thread-list.ts'
import { threadPath } from '#src/thread-rooms/list/thread-path.ts'
import { Count } from '#src/ui/marks/count.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { TagChips } from '../tags/tag-chip.tsx'
import { PostPicture } from './post-picture.tsx'
import { useAuthorName } from './use-author-name.ts'

interface PostItemProps {
  thread: ListedThread
  tags: readonly ForumTag[]
  /** Shown in a gallery, with a large picture. */
  isTile: boolean
}

/** A post in the list of its forum, as a link to its page. */
export function PostItem({ thread, tags, isTile }: PostItemProps) {
  const { title, opening, own } = thread
  const author = useAuthorName(thread.space_id, opening?.author_id ?? thread.creator_id)
  // The store is newer than the list: it includes messages that this client has read or sent.
  const isUnread = useAppState((state) =>
    thread.id in state.threads ? showsUnread(state, thread.id) : isUnreadThread(thread),
  )
  const shown = useOpeningText(thread)
  const picture = opening?.attachment ?? null
  return (
    <li className="post-item" data-unread={isUnread || undefined}>
      <Link href={threadPath(thread)} className="post-link">
        {picture !== null && <PostPicture attachment={picture} />}
        <span className="post-words">
          <strong dir="auto">{title}</strong>
          <Marks thread={thread} />
          <TagChips tags={tags} ids={thread.tags ?? []} />
          {!isTile && shown !== '' && (
            <span className="post-text" dir="auto">
              {shown}
            </span>
          )}
          <span className="post-facts">
            {author !== null && <bdi>{author}</bdi>}
            <span>{counted(thread.reply_count ?? 0, '{count} reply', '{count} replies')}</span>
            <span>{formatAgo(thread.active_at)}</span>
            {isUnread && <span className="visually-hidden">{t('Unread')}</span>}
          </span>
        </span>
        <Count count={own.follow === 'muted' ? 0 : own.mention_count} isCalling />
        {isUnread && <span className="unread-dot" />}
      </Link>
    </li>
  )
}

/** Returns the beginning of a post on one line, without spoilers; empty for blocked authors. */
function useOpeningText({ space_id: spaceId, opening }: ListedThread): string {
  const nameOf = useNames(spaceId)
  return useAppState((state) => {
    if (opening == null || opening.author_id in blockedIn(state, spaceId)) return ''
    return excerpt(state, { spaceId, nameOf }, withoutOpenSpoiler(opening.content))
  })
}

/** Removes a spoiler that is not closed, because the list has only the beginning of each text. */
function withoutOpenSpoiler(text: string): string {
  const parts = text.split('||')
  return parts.length % 2 === 1 ? text : `${parts.slice(0, -1).join('||')}…`
}

function Marks({ thread: { is_pinned, is_closed, solved_message_id } }: { thread: ListedThread }) {
  const isSolved = (solved_message_id ?? null) !== null
  if (!is_pinned && !is_closed && !isSolved) return null
  return (
    <span className="post-marks">
      {is_pinned && (
        <span>
          <Pin aria-hidden="true" /> {t('Pinned')}
        </span>
      )}
      {isSolved && (
        <span className="post-solved">
          <CircleCheck aria-hidden="true" /> {t('Solved')}
        </span>
      )}
      {is_closed && (
        <span>
          <Lock aria-hidden="true" /> {t('Closed')}
        </span>
      )}
    </span>
  )
}
