import type { MemberWithUser } from '@foyer/protocol/members'
import type { RefObject } from 'react'
import type { SpaceEntry } from '#src/store/state.ts'
import { BanDialog } from './ban-dialog.tsx'
import { KickMember } from './kick-member.tsx'
import type { MemberDeed } from './member-menu.tsx'
import { NicknameDialog } from './nickname-dialog.tsx'

interface MemberDeedDialogProps {
  deed: MemberDeed
  space: SpaceEntry
  member: MemberWithUser
  name: string
  onClose: () => void
  /** Where the focus goes when the member is gone. */
  focusAfter: RefObject<HTMLElement | null>
}

/** What was chosen in the menu of a member. */
export function MemberDeedDialog({ deed, focusAfter, ...props }: MemberDeedDialogProps) {
  if (deed === 'kick') return <KickMember {...props} focusAfter={focusAfter} />
  if (deed === 'ban') return <BanDialog {...props} userId={props.member.id} isMember />
  return <NicknameDialog {...props} username={props.member.user.username} />
}
