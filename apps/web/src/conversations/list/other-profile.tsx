import type { Conversation } from '@foyer/protocol/conversations'
import { useState } from 'react'
import { ProfileDialogs } from '#src/friends/profiles/profile-dialogs.tsx'
import type { ProfileTask } from '#src/friends/profiles/profile-task.ts'
import { useOthers } from '../conversation-name.ts'

interface OtherProfileProps {
  conversation: Conversation
  onClose: () => void
}

/** The profile of the other user in a direct conversation, and the dialogs opened from it. */
export function OtherProfile({ conversation, onClose }: OtherProfileProps) {
  const [other] = useOthers(conversation)
  const [task, setTask] = useState<ProfileTask | null>(null)
  if (other === undefined) return null
  return (
    <ProfileDialogs
      task={task ?? { kind: 'profile', userId: other.id }}
      spaceId={null}
      onTask={(next) => (next === null ? onClose() : setTask(next))}
    />
  )
}
