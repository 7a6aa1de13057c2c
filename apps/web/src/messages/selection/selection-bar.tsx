import { Permission } from '@foyer/protocol/permissions'
import { type RefObject, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { counted, t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { useShortcut } from '#src/shortcuts/use-shortcut.ts'
import { useMove } from '#src/thread-rooms/moving/use-move.tsx'
import { Button } from '#src/ui/buttons/button.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { useFocusAfter } from '#src/ui/focus/use-focus-after.ts'
import { endSelection } from './selection.ts'
import './selection-bar.css'

interface SelectionBarProps {
  ids: readonly string[]
  /** The composer, which returns when the bar closes. */
  focusAfter: RefObject<HTMLElement | null>
}

/** Replaces the composer while messages are being selected. */
export function SelectionBar({ ids, focusAfter }: SelectionBarProps) {
  const session = useSession()
  const { address, may } = useChannel()
  const mayDelete = may(Permission.ManageMessages)
  const move = useMove()
  const [isAsking, setIsAsking] = useState(false)
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

  return (
    <section className="selection-bar" aria-label={t('Selected messages')}>
      <p role="status">
        {ids.length === 0
          ? t('Select messages.')
          : counted(ids.length, '{count} message selected', '{count} messages selected')}
      </p>
      <Button onClick={() => endSelection(session)}>{t('Cancel')}</Button>
      {move !== null && (
        <Button disabled={ids.length === 0} onClick={() => move.ask(ids, () => endSelection(session))}>
          {move.label}
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
