import { useChannel } from '#src/channels/channel-context.ts'
import { useAppState } from '#src/session/context.ts'
import { useOpenDialog } from '#src/ui/dialogs/dialog-outlet.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { threadRoomOf } from '../list/thread-place.ts'

const MoveDialog = lazyComponent(() => import('./move-dialog.tsx').then((module) => module.MoveDialog))

/** Returns a function that asks where to move messages; null without the right, and where threads take none. */
export function useMove() {
  const { id, may } = useChannel()
  const openDialog = useOpenDialog()
  const roomId = useAppState((state) => threadRoomOf(state, id))
  if (roomId === null || !may('ManageThreads')) return null
  return (messageIds: readonly string[], onMoved = () => {}) =>
    openDialog((close) => (
      <MoveDialog roomId={roomId} from={id} messageIds={messageIds} onMoved={onMoved} onClose={close} />
    ))
}
