import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { ThreadEntry } from '#src/store/state.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { threadWords } from '../names/thread-words.ts'
import { changeThread } from './changes.ts'

export function CloseThread({ entry, onClose }: { entry: ThreadEntry; onClose: () => void }) {
  const session = useSession()
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Close {thread}?', { thread: entry.name })}
      action={threadWords(entry.thread).close}
      look="primary"
      run={() => changeThread(session, entry.id, { is_closed: true })}
    >
      <p>{t('Everyone can still read it, but only moderators can write.')}</p>
    </Confirm>
  )
}
