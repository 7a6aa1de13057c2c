import type { Member } from '@foyer/protocol/members'
import type { Message } from '@foyer/protocol/messages'
import type { RefObject } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { MemberActionDialog } from '#src/members/actions/member-action-dialog.tsx'
import { type MemberAction, MemberItems, useMemberActions } from '#src/members/actions/member-menu.tsx'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { useAppState } from '#src/session/context.ts'
import { isSystem } from '../content/system-message.tsx'

/** Returns the author's membership: the current one if loaded, else the message's copy. Null for webhooks and non-members. */
export function useAuthorMember(message: Message): Member | null {
  const { spaceId } = useChannel()
  const known = useAppState((state) => state.members[spaceId ?? '']?.[message.author.id])
  if (spaceId === null || message.webhook_id !== null || isSystem(message)) return null
  return known ?? message.member
}

interface AuthorItemsProps {
  spaceId: string
  member: Member
  onChoose: (action: MemberAction) => void
}

/** Moderators' actions on the author of a message, in its menu. */
export function AuthorItems({ spaceId, member, onChoose }: AuthorItemsProps) {
  const actions = useMemberActions(member, usePermissions(spaceId)).filter((action) => action !== 'nickname')
  return <MemberItems actions={actions} onChoose={onChoose} />
}

interface AuthorDialogProps {
  action: MemberAction
  message: Message
  member: Member
  row: RefObject<HTMLElement | null>
  onClose: () => void
}

export function AuthorDialog({ action, message, member, row, onClose }: AuthorDialogProps) {
  const { spaceId, nameOf } = useChannel()
  const space = useAppState((state) => state.spaces[spaceId ?? ''])
  if (space === undefined) return null
  return (
    <MemberActionDialog
      action={action}
      space={space}
      member={{ ...member, user: message.author, position: 0 }}
      name={nameOf(message.author, member)}
      onClose={onClose}
      focusAfter={row}
    />
  )
}
