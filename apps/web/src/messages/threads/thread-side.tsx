import { Suspense, useEffect } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { useSession } from '#src/session/context.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { closeThread, useOpenThread } from '../reading/open-thread.ts'

const ThreadBeside = lazyComponent(() => import('./thread-beside.tsx').then((module) => module.ThreadBeside))

/** The thread open in the channel. */
export function ThreadSide({ channel }: { channel: OpenChannel }) {
  const session = useSession()
  const threadId = useOpenThread(channel.id)

  // Closes the thread when the user leaves the channel.
  useEffect(() => () => closeThread(session), [session])

  return <Suspense>{threadId !== null && <ThreadBeside channel={channel} threadId={threadId} />}</Suspense>
}
