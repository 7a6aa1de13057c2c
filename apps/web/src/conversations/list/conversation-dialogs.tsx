import type { Conversation } from '@foyer/protocol/conversations'
import { Suspense } from 'react'
import { NotificationDialog } from '#src/notifications/notification-dialog.tsx'
import { useAppState } from '#src/session/context.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { useConversationName } from '../conversation-name.ts'
import { LeaveGroup } from '../groups/leave-group.tsx'

export interface ConversationDialog {
  readonly kind: 'profile' | 'add' | 'settings' | 'notifications' | 'leave'
  readonly conversationId: string
}

const AddPeople = lazyComponent(() => import('../groups/add-people.tsx').then((module) => module.AddPeople))
const GroupSettings = lazyComponent(() =>
  import('../groups/group-settings.tsx').then((module) => module.GroupSettings),
)
const OtherProfile = lazyComponent(() => import('./other-profile.tsx').then((module) => module.OtherProfile))

interface ConversationDialogsProps {
  dialog: ConversationDialog
  onClose: () => void
}

/** The open dialog of a conversation. It closes when the conversation is removed. */
export function ConversationDialogs({ dialog, onClose }: ConversationDialogsProps) {
  const conversation = useAppState((state) => state.conversations[dialog.conversationId])
  if (conversation === undefined) return null
  return (
    <Suspense>
      {dialog.kind === 'profile' && <OtherProfile conversation={conversation} onClose={onClose} />}
      {dialog.kind === 'add' && <AddPeople conversation={conversation} onClose={onClose} />}
      {dialog.kind === 'settings' && <GroupSettings conversation={conversation} onClose={onClose} />}
      {dialog.kind === 'notifications' && <Notifications conversation={conversation} onClose={onClose} />}
      {dialog.kind === 'leave' && <LeaveGroup conversation={conversation} onClose={onClose} />}
    </Suspense>
  )
}

function Notifications({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const name = useConversationName(conversation)
  return (
    <NotificationDialog target={{ scope: 'conversation', id: conversation.id, name }} onClose={onClose} />
  )
}
