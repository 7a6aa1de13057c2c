import type { MemberWithUser } from '@foyer/protocol/members'
import type { RefObject } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { formatFull } from '#src/ui/time/time.ts'
import { useTimeoutReason } from '../use-timeout-reason.ts'

interface RemoveTimeoutProps {
  space: SpaceEntry
  member: MemberWithUser
  name: string
  onClose: () => void
  focusAfter: RefObject<HTMLElement | null>
}

/** Shows a member's timeout, and ends it. */
export function RemoveTimeout({ space, member, name, onClose, focusAfter }: RemoveTimeoutProps) {
  const { client, store } = useSession()
  const reason = useTimeoutReason(space.id, member.id)

  async function lift() {
    await client.members.liftTimeout(space.id, member.id)
    const { user: _user, position: _position, ...plain } = member
    store.adopt('SPACE_MEMBER_UPDATE', { ...plain, timeout_until: null })
  }

  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Remove {name}’s timeout?', { name })}
      action={t('Remove timeout')}
      run={lift}
      focusAfter={focusAfter}
    >
      <p>{t('Timed out until {time}', { time: formatFull(member.timeout_until ?? '') })}</p>
      {reason !== null && <p>{t('Reason: {reason}', { reason })}</p>}
    </Confirm>
  )
}
