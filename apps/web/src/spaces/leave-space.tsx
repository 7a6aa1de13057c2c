import { useLocation } from 'wouter'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { mainElement } from '#src/ui/focus/main-element.ts'

export function LeaveSpace({ space, onClose }: { space: SpaceEntry; onClose: () => void }) {
  const { client, store } = useSession()
  const [, navigate] = useLocation()

  async function leave() {
    await client.members.leave(space.id)
    navigate('/home')
    store.adopt('SPACE_DELETE', { space_id: space.id })
  }

  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Leave {name}?', { name: space.name })}
      action={t('Leave space')}
      run={leave}
      focusAfter={mainElement}
    >
      <p>{t('You’ll need a new invite link to rejoin. Your messages stay.')}</p>
    </Confirm>
  )
}
