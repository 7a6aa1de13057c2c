import { ContextMenu } from '@base-ui/react/context-menu'
import type { Conversation } from '@foyer/protocol/conversations'
import { X } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { useAppState, useSession } from '#src/session/context.ts'
import { unreadCount } from '#src/store/conversations.ts'
import { Count } from '#src/ui/count.tsx'
import { Hint } from '#src/ui/icon-button.tsx'
import '#src/ui/menu.css'
import { useAction } from '#src/ui/use-action.ts'
import { closeConversation, conversationPath } from './actions.ts'
import { ConversationAvatar } from './conversation-avatar.tsx'
import type { ConversationDialog } from './conversation-dialogs.tsx'
import { ConversationMenu } from './conversation-menu.tsx'
import { isGroup, peopleCount, useConversationName, useOthers } from './conversation-name.ts'

interface ConversationRowProps {
  conversation: Conversation
  isCurrent: boolean
  onOpen: (dialog: ConversationDialog) => void
}

export function ConversationRow({ conversation, isCurrent, onOpen }: ConversationRowProps) {
  const unread = useAppState((state) => (isCurrent ? 0 : unreadCount(state, conversation.id)))
  const name = useConversationName(conversation)
  const close = useClose(conversation, onOpen)
  const label = isGroup(conversation) ? `Leave ${name}` : `Close conversation with ${name}`
  return (
    <ContextMenu.Root>
      <ContextMenu.Trigger render={<li className="room-row" />}>
        <Link
          href={conversationPath(conversation.id)}
          className="room-link"
          aria-label={unread > 0 ? `${name}, ${unread} unread` : name}
          aria-current={isCurrent ? 'page' : undefined}
          data-unread={unread > 0 || undefined}
          draggable={false}
        >
          <ConversationAvatar conversation={conversation} />
          <span className="conversation-names">
            <span className="room-name">{name}</span>
            <Note conversation={conversation} />
          </span>
          <Count count={unread} isCalling />
        </Link>
        <Hint label={label}>
          <button type="button" className="room-tool" aria-label={label} onClick={close}>
            <X aria-hidden="true" />
          </button>
        </Hint>
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Positioner className="floating">
          <ContextMenu.Popup className="menu">
            <ConversationMenu conversation={conversation} onOpen={onOpen} onClose={close} />
          </ContextMenu.Popup>
        </ContextMenu.Positioner>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  )
}

/** How many a group has, or what the other says of themselves. */
function Note({ conversation }: { conversation: Conversation }) {
  const [other] = useOthers(conversation)
  const note = isGroup(conversation) ? peopleCount(conversation) : (other?.custom ?? '')
  return note === '' ? null : <span className="conversation-note">{note}</span>
}

/** A group asks first: one does not come back by oneself. */
function useClose(conversation: Conversation, onOpen: (dialog: ConversationDialog) => void): () => void {
  const session = useSession()
  const [location, navigate] = useLocation()
  const { run } = useAction()
  return () => {
    if (isGroup(conversation)) return onOpen({ kind: 'leave', conversationId: conversation.id })
    run(async () => {
      // First away from it: who is there has it opened again.
      if (location.startsWith(conversationPath(conversation.id))) navigate('/home')
      await closeConversation(session, conversation)
    })
  }
}
