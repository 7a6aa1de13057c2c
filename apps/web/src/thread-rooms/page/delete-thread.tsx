import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { useLocation } from 'wouter'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { ThreadEntry } from '#src/store/state.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { mainElement } from '#src/ui/focus/main-element.ts'
import { threadWords } from '../names/thread-words.ts'

export function DeleteThread({ entry, onClose }: { entry: ThreadEntry; onClose: () => void }) {
  const { client, store } = useSession()
  const [, navigate] = useLocation()
  const { id, name, space_id, parent_id } = entry
  const words = threadWords(entry.thread)

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
      action={words.delete}
      run={remove}
      focusAfter={mainElement}
    >
      <p>{words.deleted}</p>
    </Confirm>
  )
}
