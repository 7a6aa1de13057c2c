import type { MemberWithUser } from '@foyer/protocol/members'
import type { RefObject } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'

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
      title={t('Kick {name}?', { name })}
      action={t('Kick')}
      run={() => client.members.kick(space.id, member.id)}
      focusAfter={focusAfter}
    >
      <p>
        {t('They’ll be removed from {name} immediately and can rejoin with an invite. Their messages stay.', {
          name: space.name,
        })}
      </p>
    </Confirm>
  )
}
