import { Plus } from 'lucide-react'
import { useCallback, useMemo, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import '#src/rooms/list/room-list.css'
import '#src/rooms/list/room-row.css'
import { useAppState } from '#src/session/context.ts'
import { sortedConversations } from '#src/store/conversations.ts'
import { Hint } from '#src/ui/buttons/icon-button.tsx'
import { useOpenDialog } from '#src/ui/dialogs/dialog-outlet.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { useInSight } from '#src/ui/use-in-sight.ts'
import { type ConversationDialog, ConversationDialogs } from './conversation-dialogs.tsx'
import './conversation-list.css'
import { ConversationRow } from './conversation-row.tsx'

const NewConversation = lazyComponent(() =>
  import('../new-conversation.tsx').then((module) => module.NewConversation),
)

/** Conversations of the user, newest message first. */
export function ConversationList({ currentId }: { currentId: string | null }) {
  const conversations = useAppState((state) => state.conversations)
  const sorted = useMemo(() => sortedConversations(conversations), [conversations])
  const list = useRef<HTMLUListElement>(null)
  const openDialog = useOpenDialog()
  const onOpen = useCallback(
    (dialog: ConversationDialog) =>
      openDialog((close) => <ConversationDialogs dialog={dialog} onClose={close} />),
    [openDialog],
  )
  useInSight(list, currentId)
  return (
    <section className="conversation-list" aria-label={t('Direct messages')}>
      <div className="room-row room-category-row">
        <h2 className="room-category">{t('Direct messages')}</h2>
        <Hint label={t('New message')}>
          <button
            type="button"
            className="room-tool conversation-new"
            aria-label={t('New message')}
            onClick={() => openDialog((close) => <NewConversation onClose={close} />)}
          >
            <Plus aria-hidden="true" />
          </button>
        </Hint>
      </div>
      {sorted.length === 0 && (
        <p className="sidebar-note">
          {t(
            'Your direct messages and groups appear here. Select + to message a friend or someone from your spaces.',
          )}
        </p>
      )}
      <ul ref={list} tabIndex={-1} aria-label={t('Direct messages')}>
        {sorted.map((conversation) => (
          <ConversationRow
            key={conversation.id}
            conversation={conversation}
            isCurrent={conversation.id === currentId}
            onOpen={onOpen}
            focusAfter={list}
          />
        ))}
      </ul>
    </section>
  )
}
