import type { MemberWithUser, Timeout } from '@foyer/protocol/members'
import { type RefObject, useEffect, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { formatFull } from '#src/ui/time/time.ts'

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
  const [timeout, setShown] = useState<Timeout | null>(null)

  useEffect(() => {
    let isCurrent = true
    // Without an answer the dialog shows no reason.
    client.members.getTimeout(space.id, member.id).then(
      (answer) => isCurrent && setShown(answer),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [client, space.id, member.id])

  async function lift() {
    await client.members.liftTimeout(space.id, member.id)
    const { user: _user, position: _position, ...plain } = member
    store.adopt('SPACE_MEMBER_UPDATE', { ...plain, timeout_until: null })
  }

  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Remove the timeout of {name}?', { name })}
      action={t('Remove timeout')}
      run={lift}
      focusAfter={focusAfter}
    >
      <p>{t('Timed out until {time}', { time: formatFull(member.timeout_until ?? '') })}</p>
      {timeout?.reason != null && <p>{t('Reason: {reason}', { reason: timeout.reason })}</p>}
    </Confirm>
  )
}
