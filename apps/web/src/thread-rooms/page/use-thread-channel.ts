import { useMemo } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { answeringOf } from '#src/forums/post/solving.ts'
import { useRoomChannel } from '#src/rooms/page/use-room-channel.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import type { ThreadEntry } from '#src/store/state.ts'
import { withoutSending } from './closed-threads.ts'

/** Returns the thread as a channel. Only members with ManageThreads can write in a closed thread. */
export function useThreadChannel(entry: ThreadEntry): OpenChannel {
  const channel = useRoomChannel(entry)
  const session = useSession()
  const myId = useAppState(({ me }) => me?.id)
  const isManager = channel.may('ManageThreads')
  const isClosed = entry.thread.is_closed && !isManager
  return useMemo(() => {
    const answering = isClosed ? undefined : answeringOf(session, entry, { myId, isManager })
    const own = isClosed ? withoutSending(channel) : channel
    return answering === undefined ? own : { ...own, answering }
  }, [channel, session, entry, myId, isManager, isClosed])
}
