import type { MemberWithUser } from '@foyer/protocol/members'
import type { RefObject } from 'react'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Confirm } from '#src/ui/confirm.tsx'

interface KickMemberProps {
  space: SpaceEntry
  member: MemberWithUser
  name: string
  onClose: () => void
  focusAfter: RefObject<HTMLElement | null>
}

export function KickMember({ space, member, name, onClose, focusAfter }: KickMemberProps) {
  const { client } = useSession()

  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Kick ${name}?`}
      action="Kick"
      run={() => client.members.kick(space.id, member.id)}
      focusAfter={focusAfter}
    >
      <p>They leave {space.name} at once, and can come back with an invite. What they wrote stays.</p>
    </Confirm>
  )
}
