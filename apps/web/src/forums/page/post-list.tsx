import type { ForumLayout, ForumTag } from '@foyer/protocol/forums'
import type { Room } from '@foyer/protocol/rooms'
import { MessagesSquare } from 'lucide-react'
import { counted, t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { PostItem } from './post-item.tsx'
import type { PostFilter } from './post-order.ts'
import { usePosts } from './use-posts.ts'

interface PostListProps {
  room: Room
  tags: readonly ForumTag[]
  filter: PostFilter
  layout: ForumLayout
}

/** The posts of a forum with the states of the list and further pages. */
export function PostList({ room, tags, filter, layout }: PostListProps) {
  const { answer, isOutdated, again, hasMore, loadMore, older } = usePosts(room.id, filter)
  if (answer.state === 'loading') return <Skeleton rows={4} />
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  const { threads } = answer.value
  return (
    <>
      <p className="visually-hidden" role="status">
        {threads.length > 0 && counted(threads.length, '{count} post', '{count} posts')}
      </p>
      {threads.length === 0 && !hasMore && <Nothing isFiltered={isFiltered(filter)} />}
      <ul className="post-items" data-layout={layout} aria-busy={isOutdated} aria-label={t('Posts')}>
        {threads.map((thread) => (
          <PostItem key={thread.id} thread={thread} tags={tags} isTile={layout === 'gallery'} />
        ))}
      </ul>
      <ErrorLine message={older.error} />
      {hasMore && (
        <Button pending={older.pending} onClick={loadMore}>
          {t('Show more')}
        </Button>
      )}
    </>
  )
}

function isFiltered({ tags, solved }: PostFilter): boolean {
  return tags.length > 0 || solved !== null
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyNote icon={<MessagesSquare />} title={t('No posts match')}>
      {t('Choose other filters to see more posts.')}
    </EmptyNote>
  ) : (
    <EmptyNote icon={<MessagesSquare />} title={t('No posts yet')}>
      {t('A post keeps a question and its answers together.')}
    </EmptyNote>
  )
}
