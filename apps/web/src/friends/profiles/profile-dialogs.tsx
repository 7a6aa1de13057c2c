import type { User } from '@foyer/protocol/users'
import { useEffect } from 'react'
import { BanDialog } from '#src/members/actions/ban-dialog.tsx'
import { MemberActionDialog } from '#src/members/actions/member-action-dialog.tsx'
import { useAppState } from '#src/session/context.ts'
import { useOpenDialog } from '#src/ui/dialogs/dialog-outlet.tsx'
import { mainElement } from '#src/ui/focus/main-element.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { EndFriendship } from './end-friendship.tsx'
import { FullProfile } from './full-profile.tsx'
import type { ProfileTask } from './profile-task.ts'

const ReportUser = lazyComponent(() =>
  import('#src/reports/making/report-user.tsx').then((module) => module.ReportUser),
)

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
  if (task.kind === 'report') return <ReportOnPage user={task.user} onTask={onTask} />
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

interface ReportOnPageProps extends Pick<ProfileDialogsProps, 'onTask'> {
  user: User
}

/** Opens the report dialog at page level, so that it stays open if the list that the user was chosen in is unmounted. */
function ReportOnPage({ user, onTask }: ReportOnPageProps) {
  const openDialog = useOpenDialog()
  useEffect(() => {
    openDialog((close) => <ReportUser user={user} onClose={close} />)
    onTask(null)
  }, [user, openDialog, onTask])
  return null
}
