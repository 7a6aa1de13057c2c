import type { MemberWithUser } from '@foyer/protocol/members'
import type { RefObject } from 'react'
import type { SpaceEntry } from '#src/store/state.ts'
import { BanDialog } from './ban-dialog.tsx'
import { KickMember } from './kick-member.tsx'
import type { MemberAction } from './member-menu.tsx'
import { NicknameDialog } from './nickname-dialog.tsx'
import { RemoveTimeout } from './remove-timeout.tsx'
import { TimeoutDialog } from './timeout-dialog.tsx'

interface MemberActionDialogProps {
  action: MemberAction
  space: SpaceEntry
  member: MemberWithUser
  name: string
  onClose: () => void
  /** Receives the focus after the member is removed. */
  focusAfter: RefObject<HTMLElement | null>
}

/** The dialog of the chosen menu item. */
export function MemberActionDialog({ action, focusAfter, ...props }: MemberActionDialogProps) {
  if (action === 'kick') return <KickMember {...props} focusAfter={focusAfter} />
  if (action === 'ban') return <BanDialog {...props} userId={props.member.id} isMember />
  if (action === 'timeout') return <TimeoutDialog {...props} />
  if (action === 'release') return <RemoveTimeout {...props} focusAfter={focusAfter} />
  return <NicknameDialog {...props} username={props.member.user.username} />
}
