import type { OwnThread, ThreadState } from '@foyer/protocol/thread-rooms'
import { Merge, MessagesSquare } from 'lucide-react'
import { useMemo } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { useChannelDialog } from '#src/channels/use-channel-dialog.tsx'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { ThreadItems } from '../list/thread-items.tsx'
import { threadsOfRoom } from '../list/thread-sources.ts'
import { useThreadList } from '../list/use-thread-list.ts'
import { MergeDialog } from '../moving/merge-dialog.tsx'

interface ThreadsTabProps {
  state: ThreadState
  onOpen: () => void
}

/** The room's threads in one state. */
export function ThreadsTab({ state, onOpen }: ThreadsTabProps) {
  const channel = useChannel()
  const { id, may } = channel
  const source = useMemo(() => threadsOfRoom(id, state), [id, state])
  const list = useThreadList(source)
  const openDialog = useChannelDialog(channel)
  const mayMerge = may('ManageThreads')

  function merge(thread: OwnThread) {
    onOpen()
    openDialog((close) => <MergeDialog thread={thread} onClose={close} />)
  }

  return (
    <ThreadItems
      list={list}
      empty={<Nothing state={state} />}
      onOpen={onOpen}
      endOf={(thread) =>
        mayMerge && (
          <IconButton
            label={t('Merge “{title}” into another thread', { title: thread.title })}
            icon={<Merge />}
            onClick={() => merge(thread)}
          />
        )
      }
    />
  )
}

function Nothing({ state }: { state: ThreadState }) {
  if (state === 'asleep')
    return (
      <EmptyNote icon={<MessagesSquare />} title={t('No sleeping threads')}>
        {t('Threads without new messages for a while appear here.')}
      </EmptyNote>
    )
  if (state === 'closed')
    return (
      <EmptyNote icon={<MessagesSquare />} title={t('No closed threads')}>
        {t('Closed threads can still be read here.')}
      </EmptyNote>
    )
  return (
    <EmptyNote icon={<MessagesSquare />} title={t('No active threads')}>
      {t('A thread keeps one topic together, separate from the room.')}
    </EmptyNote>
  )
}
