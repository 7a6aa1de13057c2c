import { Menu } from '@base-ui/react/menu'
import type { Conversation } from '@foyer/protocol/conversations'
import { LogOut, Settings, UserPlus, UserRound, X } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { NotificationItem } from '#src/notifications/notification-item.tsx'
import { useAppState, useSession } from '#src/session/context.ts'
import { unreadCount } from '#src/store/conversations.ts'
import { MarkReadItem } from '#src/unread/mark-read-item.tsx'
import { markRead } from '../actions.ts'
import { isGroup, useConversationName } from '../conversation-name.ts'
import type { ConversationDialog } from './conversation-dialogs.tsx'

interface ConversationMenuProps {
  conversation: Conversation
  onOpen: (dialog: ConversationDialog) => void
  /** Closes the direct conversation or leaves the group. */
  onClose: () => void
}

/** Menu items of a conversation in the list. */
export function ConversationMenu({ conversation, onOpen, onClose }: ConversationMenuProps) {
  const session = useSession()
  const isUnread = useAppState((state) => unreadCount(state, conversation.id) > 0)
  const { id: conversationId } = conversation
  const name = useConversationName(conversation)
  return (
    <>
      <MarkReadItem isUnread={isUnread} mark={() => markRead(session, conversation)} />
      <NotificationItem
        target={{ scope: 'conversation', id: conversationId, name }}
        onOpen={() => onOpen({ kind: 'notifications', conversationId })}
      />
      {!isGroup(conversation) && (
        <Menu.Item className="menu-item" onClick={() => onOpen({ kind: 'profile', conversationId })}>
          <UserRound aria-hidden="true" /> {t('View full profile')}
        </Menu.Item>
      )}
      <Menu.Item className="menu-item" onClick={() => onOpen({ kind: 'add', conversationId })}>
        <UserPlus aria-hidden="true" /> {t('Add people')}
      </Menu.Item>
      {isGroup(conversation) && (
        <Menu.Item className="menu-item" onClick={() => onOpen({ kind: 'settings', conversationId })}>
          <Settings aria-hidden="true" /> {t('Group settings')}
        </Menu.Item>
      )}
      {isGroup(conversation) ? (
        <Menu.Item className="menu-item menu-danger" onClick={onClose}>
          <LogOut aria-hidden="true" /> {t('Leave group')}
        </Menu.Item>
      ) : (
        <Menu.Item className="menu-item" onClick={onClose}>
          <X aria-hidden="true" /> {t('Close direct message')}
        </Menu.Item>
      )}
    </>
  )
}
