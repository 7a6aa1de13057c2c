import { useChannel } from '#src/channels/channel-context.ts'
import { useChannelDialog } from '#src/channels/use-channel-dialog.tsx'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { threadRoomOf } from '../list/thread-place.ts'

const MoveDialog = lazyComponent(() => import('./move-dialog.tsx').then((module) => module.MoveDialog))

/** The action that moves messages, with its label. */
export interface Move {
  readonly label: string
  ask(messageIds: readonly string[], onMoved?: () => void): void
}

/**
 * Returns the action that moves messages of the channel; null if the user lacks the permission, or if the channel's messages
 * cannot be moved to a thread.
 */
export function useMove(): Move | null {
  const channel = useChannel()
  const { id, may } = channel
  const openDialog = useChannelDialog(channel)
  const room = useAppState((state) => threadRoomOf(state, id))
  if (room === null || !may('ManageThreads')) return null
  const isForum = room.forum !== undefined
  return {
    label: isForum ? t('Move to post') : t('Move to thread'),
    ask: (messageIds, onMoved) =>
      openDialog((close) => (
        <MoveDialog
          roomId={room.id}
          isForum={isForum}
          from={id}
          messageIds={messageIds}
          onMoved={onMoved}
          onClose={close}
        />
      )),
  }
}
