import type { Conversation } from '@foyer/protocol/conversations'
import { IdCard, Users } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import '#src/spaces/settings/settings.css'
import { SettingsDialog } from '#src/ui/dialogs/settings-dialog.tsx'
import { ConversationAvatar } from '../conversation-avatar.tsx'
import { useConversationName } from '../conversation-name.ts'
import { GroupMembers } from './group-members.tsx'
import { GroupOverview } from './group-overview.tsx'

interface GroupSettingsProps {
  conversation: Conversation
  onClose: () => void
}

/** Settings of a group: overview and members. */
export function GroupSettings({ conversation, onClose }: GroupSettingsProps) {
  const name = useConversationName(conversation)
  return (
    <SettingsDialog
      open
      onOpenChange={onClose}
      title={name}
      picture={<ConversationAvatar conversation={conversation} size="sm" />}
      sections={[
        {
          id: 'overview',
          label: t('Overview'),
          icon: <IdCard aria-hidden="true" />,
          content: <GroupOverview conversation={conversation} />,
        },
        {
          id: 'people',
          label: t('People'),
          icon: <Users aria-hidden="true" />,
          content: <GroupMembers conversation={conversation} />,
        },
      ]}
    />
  )
}
