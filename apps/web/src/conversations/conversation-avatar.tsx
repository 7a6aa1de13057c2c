import type { Conversation } from '@foyer/protocol/conversations'
import { Picture } from '#src/images/picture.tsx'
import { Avatar } from '#src/presence/avatar.tsx'
import { personName } from '#src/store/users.ts'
import './conversation-avatar.css'
import { Users } from 'lucide-react'
import { hueOf } from '#src/ui/marks/hue.ts'
import { isGroup, useConversationName, useOthers } from './conversation-name.ts'

interface ConversationAvatarProps {
  conversation: Conversation
  size?: 'sm' | 'md' | 'lg'
}

/** The icon of a group, the avatars of two of its members, or the other user's avatar. Decorative, like all avatars. */
export function ConversationAvatar({ conversation, size = 'md' }: ConversationAvatarProps) {
  const others = useOthers(conversation)
  const name = useConversationName(conversation)
  const [first, second] = others
  if (conversation.icon !== null)
    return (
      <span
        className={`avatar avatar-${size}`}
        style={{ '--hue': hueOf(conversation.id) }}
        aria-hidden="true"
      >
        <Picture key={conversation.icon} id={conversation.icon} />
      </span>
    )
  if (isGroup(conversation) && first !== undefined && second !== undefined)
    return (
      <span className={`avatar-stack avatar-stack-${size}`} aria-hidden="true">
        <Avatar id={second.id} name={personName(second)} size="sm" />
        <Avatar id={first.id} name={personName(first)} size="sm" />
      </span>
    )
  if (first !== undefined) return <Avatar id={first.id} name={personName(first)} size={size} hasPresence />
  return (
    <span
      className={`avatar avatar-${size}`}
      style={{ '--hue': hueOf(conversation.id) }}
      aria-hidden="true"
      title={name}
    >
      <Users />
    </span>
  )
}
