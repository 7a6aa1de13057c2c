import type { Message } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { X } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { WaitLine } from '../composer/wait-line.tsx'
import { DeleteMessage } from '../editing/delete-message.tsx'
import { isEditable } from '../editing/is-editable.ts'
import { LoadingRows } from '../timeline/list-parts.tsx'
import './thread-panel.css'
import { ThreadComposer } from './thread-composer.tsx'
import { ThreadRows } from './thread-rows.tsx'
import { useThread } from './use-thread.ts'

interface ThreadPanelProps {
  threadId: string
  onClose: () => void
}

/** A message with its replies and a composer. */
export function ThreadPanel({ threadId, onClose }: ThreadPanelProps) {
  const channel = useChannel()
  const thread = useThread(channel, threadId)
  const [editingId, setEditingId] = useState<string | null>(null)
  const [deleting, setDeleting] = useState<Message | null>(null)
  const [sentCount, setSentCount] = useState(0)
  const input = useRef<HTMLTextAreaElement>(null)
  const myId = useAppState((state) => state.me?.id)
  const { answer, first, replies } = thread
  const answered = first ?? replies.at(-1)

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.stopPropagation()
    onClose()
  }

  function edit(id: string | null) {
    if (id === null) input.current?.focus()
    setEditingId(id)
  }

  function editLast() {
    const own = replies.findLast((message) => message.author.id === myId && isEditable(message))
    if (own !== undefined) setEditingId(own.id)
  }

  return (
    <aside className="thread" aria-label={t('Replies')} onKeyDown={onKeyDown}>
      <header className="thread-header">
        <h2>{t('Replies')}</h2>
        <p className="thread-place" dir="auto">
          {channel.label}
        </p>
        <IconButton label={t('Close replies')} icon={<X />} onClick={onClose} />
      </header>
      {answer.state === 'loading' && <LoadingRows />}
      {answer.state === 'failed' && (
        <div className="pane-note" role="alert">
          <p>{answer.message}</p>
          <Button onClick={thread.again}>{t('Try again')}</Button>
        </div>
      )}
      {answer.state === 'here' && (
        <ThreadRows
          thread={thread}
          editingId={editingId}
          sentCount={sentCount}
          onEdit={edit}
          onDelete={setDeleting}
        />
      )}
      {answered !== undefined && channel.may(Permission.SendMessages) && (
        <ThreadComposer
          answered={answered}
          input={input}
          onSent={() => setSentCount((count) => count + 1)}
          onEditLast={editLast}
        />
      )}
      <WaitLine />
      {deleting !== null && (
        <DeleteMessage
          message={deleting}
          name={channel.nameOf(deleting.author)}
          onClose={() => setDeleting(null)}
          focusAfter={input}
        />
      )}
    </aside>
  )
}
