import type { Message } from '@foyer/protocol/messages'
import { useLocation } from 'wouter'
import { ChannelContext, useChannel } from '#src/channels/channel-context.ts'
import { useChannelDialog } from '#src/channels/use-channel-dialog.tsx'
import { useAppState } from '#src/session/context.ts'
import { threadPath } from '#src/thread-rooms/list/thread-path.ts'
import { threadRoomOf } from '#src/thread-rooms/list/thread-place.ts'
import { useMove } from '#src/thread-rooms/moving/use-move.tsx'
import { useStarted } from '#src/thread-rooms/starting/starters.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { isSystem } from '../content/system-message.tsx'
import type { ThreadControls } from './message-actions.ts'

const StartThreadDialog = lazyComponent(() =>
  import('#src/thread-rooms/starting/start-thread-dialog.tsx').then((module) => module.StartThreadDialog),
)

/** Returns the thread actions of a message. Their dialogs stay open when it is deleted or scrolled out of view. */
export function useThreadControls(message: Message): ThreadControls {
  const channel = useChannel()
  const openDialog = useChannelDialog(channel)
  const [, navigate] = useLocation()
  const started = useStarted(message.id)
  const move = useMove()
  const roomId = useAppState((state) => threadRoomOf(state, channel.id)?.id)
  const opensThreads = useAppState((state) => state.rooms[channel.id]?.replies === 'threads')
  if (roomId === undefined || isSystem(message))
    return { startThread: null, openStarted: null, move: null, opensThreads }

  const startThread = () =>
    openDialog((close) => (
      <ChannelContext value={channel}>
        <StartThreadDialog message={message} onClose={close} />
      </ChannelContext>
    ))
  // A thread has no threads itself.
  const mayStart = roomId === channel.id && channel.may('CreateThreads') && started === undefined
  return {
    startThread: mayStart ? startThread : null,
    openStarted: started === undefined ? null : () => navigate(threadPath(started)),
    move: move && { label: move.label, run: () => move.ask([message.id]) },
    opensThreads,
  }
}
