import type { Conversation } from '@foyer/protocol/conversations'
import { Permission } from '@foyer/protocol/permissions'
import { Menu, Settings, UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import type { SearchBeside } from '#src/channels/pane/use-beside.ts'
import { ProfileButton, ProfileCards } from '#src/friends/profiles/profile-cards.tsx'
import { t } from '#src/language/texts.ts'
import { PinsButton } from '#src/messages/pins/pins-button.tsx'
import { NotificationButton } from '#src/notifications/notification-button.tsx'
import { PersonLine } from '#src/presence/person-line.tsx'
import { SearchButtons } from '#src/search/search-buttons.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { CallButton } from '#src/voice/calls/call-button.tsx'
import { ConversationAvatar } from '../conversation-avatar.tsx'
import { type ConversationDialog, ConversationDialogs } from '../list/conversation-dialogs.tsx'
import './conversation-header.css'
import { isGroup, peopleCount, useOthers } from '../conversation-name.ts'

interface ConversationHeaderProps {
  channel: OpenChannel
  conversation: Conversation
  openDrawer: (() => void) | null
  search: SearchBeside
  showsPeople: boolean
  onTogglePeople: () => void
}

export function ConversationHeader(props: ConversationHeaderProps) {
  const { channel, conversation, openDrawer, search, showsPeople, onTogglePeople } = props
  const [other] = useOthers(conversation)
  const isOfMany = isGroup(conversation)
  return (
    <header className="page-header">
      {openDrawer !== null && (
        <IconButton label={t('Open spaces and rooms')} icon={<Menu />} onClick={openDrawer} />
      )}
      <h1 className="page-title conversation-title">
        <Title key={conversation.id} conversation={conversation} label={channel.label} />
      </h1>
      <p className="page-topic">
        {isOfMany ? peopleCount(conversation) : other !== undefined && <PersonLine user={other} />}
      </p>
      {channel.may(Permission.SendMessages) && <CallButton conversationId={conversation.id} />}
      <PinsButton key={`pins of ${channel.id}`} channel={channel} />
      <SearchButtons channel={channel} {...search} />
      <ConversationTools key={`tools of ${channel.id}`} channel={channel} conversation={conversation} />
      {isOfMany && (
        <IconButton
          label={showsPeople ? t('Hide people') : t('Show people')}
          icon={<Users />}
          aria-pressed={showsPeople}
          onClick={onTogglePeople}
        />
      )}
    </header>
  )
}

/** Buttons that open dialogs about the conversation. */
function ConversationTools({ channel, conversation }: { channel: OpenChannel; conversation: Conversation }) {
  const [dialog, setDialog] = useState<ConversationDialog['kind'] | null>(null)
  return (
    <>
      <NotificationButton target={{ scope: 'conversation', id: conversation.id, name: channel.label }} />
      <IconButton
        label={t('Add people')}
        icon={<UserPlus />}
        className="header-spare"
        onClick={() => setDialog('add')}
      />
      {isGroup(conversation) && (
        <IconButton
          label={t('Group settings')}
          icon={<Settings />}
          className="header-extra"
          onClick={() => setDialog('settings')}
        />
      )}
      {dialog !== null && (
        <ConversationDialogs
          dialog={{ kind: dialog, conversationId: conversation.id }}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  )
}

/** The conversation's name. In a direct conversation it opens the other user's profile card. */
function Title({ conversation, label }: { conversation: Conversation; label: string }) {
  const [other] = useOthers(conversation)
  const title = (
    <>
      <ConversationAvatar conversation={conversation} size="sm" />
      <span>{label}</span>
    </>
  )
  if (other === undefined || isGroup(conversation)) return title
  return (
    <ProfileCards spaceId={null} side="bottom">
      <ProfileButton userId={other.id} className="page-title-button">
        {title}
      </ProfileButton>
    </ProfileCards>
  )
}
