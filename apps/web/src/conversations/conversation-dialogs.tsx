import { Suspense } from 'react'
import { useAppState } from '#src/session/context.ts'
import { lazyComponent } from '#src/ui/lazy.tsx'
import { LeaveGroup } from './leave-group.tsx'

export interface ConversationDialog {
  readonly kind: 'add' | 'settings' | 'leave'
  readonly conversationId: string
}

const AddPeople = lazyComponent(() => import('./add-people.tsx').then((module) => module.AddPeople))
const GroupSettings = lazyComponent(() =>
  import('./group-settings.tsx').then((module) => module.GroupSettings),
)

interface ConversationDialogsProps {
  dialog: ConversationDialog
  onClose: () => void
}

/** What is open over a conversation; it goes when the conversation does. */
export function ConversationDialogs({ dialog, onClose }: ConversationDialogsProps) {
  const conversation = useAppState((state) => state.conversations[dialog.conversationId])
  if (conversation === undefined) return null
  return (
    <Suspense>
      {dialog.kind === 'add' && <AddPeople conversation={conversation} onClose={onClose} />}
      {dialog.kind === 'settings' && <GroupSettings conversation={conversation} onClose={onClose} />}
      {dialog.kind === 'leave' && <LeaveGroup conversation={conversation} onClose={onClose} />}
    </Suspense>
  )
}
