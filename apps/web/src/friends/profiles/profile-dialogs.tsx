import { BanDialog } from '#src/members/actions/ban-dialog.tsx'
import { MemberActionDialog } from '#src/members/actions/member-action-dialog.tsx'
import { useAppState } from '#src/session/context.ts'
import { mainElement } from '#src/ui/focus/main-element.ts'
import { EndFriendship } from './end-friendship.tsx'
import { FullProfile } from './full-profile.tsx'
import type { ProfileTask } from './profile-task.ts'

interface ProfileDialogsProps {
  task: ProfileTask
  spaceId: string | null
  onTask: (task: ProfileTask | null) => void
}

/** The dialog of a profile task. */
export function ProfileDialogs({ task, spaceId, onTask }: ProfileDialogsProps) {
  const space = useAppState((state) => state.spaces[spaceId ?? ''])
  const close = () => onTask(null)
  if (task.kind === 'end') return <EndFriendship person={task.person} onClose={close} />
  if (task.kind === 'profile')
    return (
      <FullProfile key={task.userId} userId={task.userId} spaceId={spaceId} onTask={onTask} onClose={close} />
    )
  if (space === undefined) return null
  if (task.kind === 'ban')
    return <BanDialog space={space} userId={task.userId} isMember={false} name={task.name} onClose={close} />
  const { action, member, name } = task
  return (
    <MemberActionDialog
      action={action}
      space={space}
      member={member}
      name={name}
      onClose={close}
      focusAfter={mainElement}
    />
  )
}
