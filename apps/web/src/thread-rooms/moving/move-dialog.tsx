import { MAX_THREAD_TITLE_CHARACTERS } from '@foyer/protocol/limits'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { useState } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { moveWords } from '../names/move-words.ts'
import { moveTo, type Target } from './move-to.ts'
import { ThreadChoice } from './thread-choice.tsx'

interface MoveDialogProps {
  /** Room of the messages, or of the thread that they are in. */
  roomId: string
  /** True in a forum. Messages then move only into an existing post, because a new post needs a text of its own. */
  isForum: boolean
  /** The room or thread that the messages are in. */
  from: string
  messageIds: readonly string[]
  onMoved?: (() => void) | undefined
  onClose: () => void
}

/** Moves messages into a thread or post of the room. */
export function MoveDialog({ roomId, isForum, from, messageIds, onMoved, onClose }: MoveDialogProps) {
  const { client } = useSession()
  const [target, setTarget] = useState<Target | null>(null)
  const moving = useAction()
  const isNew = target !== null && 'title' in target
  const isChosen = target !== null && (!isNew || target.title.trim() !== '')

  function move() {
    if (target === null || !isChosen) return
    moving.run(async () => {
      await moveTo(client.api(ThreadRooms), { roomId, target, ids: [...messageIds] })
      onMoved?.()
      onClose()
    })
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={counted(messageIds.length, 'Move {count} message', 'Move {count} messages')}
      description={t('Messages keep their reactions and files. No one is notified again.')}
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          move()
        }}
      >
        {isNew ? (
          <TextField
            name="title"
            label={t('Title of the new thread')}
            autoComplete="off"
            maxLength={MAX_THREAD_TITLE_CHARACTERS}
            value={target.title}
            onValueChange={(title) => setTarget({ title })}
          />
        ) : (
          <ThreadChoice
            roomId={roomId}
            words={moveWords(isForum)}
            except={from}
            chosen={target?.id ?? null}
            onChoose={({ id }) => setTarget({ id })}
          />
        )}
        <ErrorLine message={moving.error} />
        <div className="form-actions">
          {!isForum && (
            <Button look="text" onClick={() => setTarget(isNew ? null : { title: '' })}>
              {isNew ? t('Choose an existing thread') : t('Move to a new thread')}
            </Button>
          )}
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" pending={moving.pending} disabled={!isChosen}>
            {t('Move')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
