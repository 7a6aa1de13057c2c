import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { useLocation } from 'wouter'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { ThreadEntry } from '#src/store/state.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { mainElement } from '#src/ui/focus/main-element.ts'

export function DeleteThread({ entry, onClose }: { entry: ThreadEntry; onClose: () => void }) {
  const { client, store } = useSession()
  const [, navigate] = useLocation()
  const { id, name, space_id, parent_id } = entry

  async function remove() {
    await client.api(ThreadRooms).delete(id)
    navigate(`/spaces/${space_id}/rooms/${parent_id}`, { replace: true })
    store.adopt('THREAD_DELETE', { id, room_id: parent_id, space_id })
  }

  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Delete {thread}?', { thread: name })}
      action={t('Delete thread')}
      run={remove}
      focusAfter={mainElement}
    >
      <p>{t('This deletes the thread and every message in it, for everyone. This can’t be undone.')}</p>
    </Confirm>
  )
}
