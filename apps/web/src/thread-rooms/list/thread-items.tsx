import type { OwnThread } from '@foyer/protocol/thread-rooms'
import type { ReactNode } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { ThreadItem } from './thread-item.tsx'
import type { useThreadList } from './use-thread-list.ts'

interface ThreadItemsProps {
  list: ReturnType<typeof useThreadList>
  /** Shown instead of an empty list. */
  empty: ReactNode
  onOpen: () => void
  /** Room of a thread, in lists of several rooms. */
  placeOf?: (thread: OwnThread) => string | undefined
  /** Button at the end of a thread. */
  endOf?: (thread: OwnThread) => ReactNode
}

/** A list of threads with its states and further pages. */
export function ThreadItems({ list, empty, onOpen, placeOf, endOf }: ThreadItemsProps) {
  const { answer, again, hasMore, loadMore, older } = list
  if (answer.state === 'loading') return <Skeleton rows={4} />
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  const { threads } = answer.value
  return (
    <>
      <p className="visually-hidden" role="status">
        {threads.length > 0 && counted(threads.length, '{count} thread', '{count} threads')}
      </p>
      {threads.length === 0 && !hasMore && empty}
      <ul className="thread-items">
        {threads.map((thread) => (
          <ThreadItem
            key={thread.id}
            thread={thread}
            place={placeOf?.(thread)}
            onOpen={onOpen}
            end={endOf?.(thread)}
          />
        ))}
      </ul>
      <ErrorLine message={older.error} />
      {hasMore && (
        <Button className="threads-more" pending={older.pending} onClick={loadMore}>
          {t('Show more')}
        </Button>
      )}
    </>
  )
}
