import { Permission } from '@foyer/protocol/permissions'
import { type RefObject, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { counted, t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { useShortcut } from '#src/shortcuts/use-shortcut.ts'
import { threadRoomOf } from '#src/thread-rooms/list/thread-place.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { useOpenDialog } from '#src/ui/dialogs/dialog-outlet.tsx'
import { useFocusAfter } from '#src/ui/focus/use-focus-after.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { endSelection } from './selection.ts'
import './selection-bar.css'

const MoveDialog = lazyComponent(() =>
  import('#src/thread-rooms/moving/move-dialog.tsx').then((module) => module.MoveDialog),
)

interface SelectionBarProps {
  ids: readonly string[]
  /** The composer, which returns when the bar closes. */
  focusAfter: RefObject<HTMLElement | null>
}

/** Replaces the composer while messages are being selected. */
export function SelectionBar({ ids, focusAfter }: SelectionBarProps) {
  const session = useSession()
  const { address, id, may } = useChannel()
  const mayDelete = may(Permission.ManageMessages)
  const roomId = useAppState((state) => threadRoomOf(state, id))
  const [isAsking, setIsAsking] = useState(false)
  const openDialog = useOpenDialog()
  useFocusAfter(focusAfter)
  // Escape ends the selection instead of marking as read.
  useShortcut('mark-read', () => endSelection(session))

  async function run() {
    // Bulk deletion needs at least two messages.
    const [only] = ids
    if (ids.length === 1 && only !== undefined) await session.client.messages.delete(address, only)
    else await session.client.messages.bulkDelete(address, ids)
    endSelection(session)
  }

  function moveFrom(room: string) {
    openDialog((close) => (
      <MoveDialog
        roomId={room}
        from={id}
        messageIds={ids}
        onMoved={() => endSelection(session)}
        onClose={close}
      />
    ))
  }

  return (
    <section className="selection-bar" aria-label={t('Selected messages')}>
      <p role="status">
        {ids.length === 0
          ? t('Select messages.')
          : counted(ids.length, '{count} message selected', '{count} messages selected')}
      </p>
      <Button onClick={() => endSelection(session)}>{t('Cancel')}</Button>
      {roomId !== null && may('ManageThreads') && (
        <Button disabled={ids.length === 0} onClick={() => moveFrom(roomId)}>
          {t('Move to thread')}
        </Button>
      )}
      {mayDelete && (
        <Button look="danger" disabled={ids.length === 0} onClick={() => setIsAsking(true)}>
          {t('Delete')}
        </Button>
      )}
      <Confirm
        open={isAsking}
        onOpenChange={setIsAsking}
        title={counted(ids.length, 'Delete {count} message?', 'Delete {count} messages?')}
        action={counted(ids.length, 'Delete {count} message', 'Delete {count} messages')}
        run={run}
        focusAfter={focusAfter}
      >
        <p>{t('This deletes them for everyone and can’t be undone.')}</p>
      </Confirm>
    </section>
  )
}
