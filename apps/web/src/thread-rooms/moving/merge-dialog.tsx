import type { Thread } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { moveWords } from '../names/move-words.ts'
import { isPost } from '../names/thread-words.ts'
import { ThreadChoice } from './thread-choice.tsx'

interface MergeDialogProps {
  thread: Pick<Thread, 'id' | 'room_id' | 'title' | 'tags'>
  onClose: () => void
}

/** Moves all messages of a thread or post into another thread or post of its room. */
export function MergeDialog({ thread, onClose }: MergeDialogProps) {
  const { client } = useSession()
  const [into, setInto] = useState<string | null>(null)
  const merging = useAction()
  const words = moveWords(isPost(thread))

  function merge() {
    if (into === null) return
    merging.run(async () => {
      await client.api(ThreadRooms).merge(thread.id, into)
      onClose()
    })
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Merge “{title}” into', { title: thread.title })}
      description={words.merging}
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          merge()
        }}
      >
        <ThreadChoice
          roomId={thread.room_id}
          words={words}
          except={thread.id}
          chosen={into}
          onChoose={({ id }) => setInto(id)}
        />
        <ErrorLine message={merging.error} />
        <div className="form-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="danger" pending={merging.pending} disabled={into === null}>
            {t('Merge')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
