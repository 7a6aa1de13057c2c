import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { ThreadEntry } from '#src/store/state.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { changeThread } from './changes.ts'

export function CloseThread({ entry, onClose }: { entry: ThreadEntry; onClose: () => void }) {
  const session = useSession()
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Close {thread}?', { thread: entry.name })}
      action={t('Close thread')}
      look="primary"
      run={() => changeThread(session, entry.id, { is_closed: true })}
    >
      <p>{t('Everyone can still read it, but only moderators can write.')}</p>
    </Confirm>
  )
}
