import { Menu } from '@base-ui/react/menu'
import type { Conversation } from '@foyer/protocol/conversations'
import { CheckCheck, LogOut, Settings, UserPlus, X } from 'lucide-react'
import { useAppState, useSession } from '#src/session/context.ts'
import { unreadCount } from '#src/store/conversations.ts'
import { markRead } from './actions.ts'
import type { ConversationDialog } from './conversation-dialogs.tsx'
import { isGroup } from './conversation-name.ts'

interface ConversationMenuProps {
  conversation: Conversation
  onOpen: (dialog: ConversationDialog) => void
  /** Closes or leaves it. */
  onClose: () => void
}

/** What one can do with a conversation from the list. */
export function ConversationMenu({ conversation, onOpen, onClose }: ConversationMenuProps) {
  const session = useSession()
  const isUnread = useAppState((state) => unreadCount(state, conversation.id) > 0)
  const { id: conversationId } = conversation
  return (
    <>
      {isUnread && (
        <Menu.Item
          className="menu-item"
          // What is not told now is told when it is read.
          onClick={() => void markRead(session, conversation).catch(() => undefined)}
        >
          <CheckCheck aria-hidden="true" /> Mark as read
        </Menu.Item>
      )}
      <Menu.Item className="menu-item" onClick={() => onOpen({ kind: 'add', conversationId })}>
        <UserPlus aria-hidden="true" /> Add people
      </Menu.Item>
      {isGroup(conversation) && (
        <Menu.Item className="menu-item" onClick={() => onOpen({ kind: 'settings', conversationId })}>
          <Settings aria-hidden="true" /> Group settings
        </Menu.Item>
      )}
      {isGroup(conversation) ? (
        <Menu.Item className="menu-item menu-danger" onClick={onClose}>
          <LogOut aria-hidden="true" /> Leave group
        </Menu.Item>
      ) : (
        <Menu.Item className="menu-item" onClick={onClose}>
          <X aria-hidden="true" /> Close conversation
        </Menu.Item>
      )}
    </>
  )
}
