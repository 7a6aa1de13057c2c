import { Suspense, useEffect } from 'react'
import { ChannelContext, type OpenChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Drawer } from '#src/ui/drawer.tsx'
import { lazyComponent } from '#src/ui/lazy.tsx'
import { useMediaQuery, VERY_WIDE } from '#src/ui/use-media-query.ts'
import { closeThread, useOpenThread } from './open-thread.ts'

const ThreadPanel = lazyComponent(() => import('./thread-panel.tsx').then((module) => module.ThreadPanel))

/** The thread that is open in the channel, beside it; where there is no room for that, in a drawer. */
export function ThreadSide({ channel }: { channel: OpenChannel }) {
  const session = useSession()
  const threadId = useOpenThread(channel.id)
  const isVeryWide = useMediaQuery(VERY_WIDE)
  const close = () => closeThread(session)

  // Who goes elsewhere does not find it open when they come back.
  useEffect(() => () => closeThread(session), [session])

  if (threadId === null) return null
  const jumpTo = (messageId: string) => {
    if (!isVeryWide) close()
    channel.jumpTo(messageId)
  }
  const panel = (
    <ChannelContext value={{ ...channel, threadId, jumpTo }}>
      <Suspense fallback={<section className="thread" aria-busy="true" />}>
        <ThreadPanel key={threadId} threadId={threadId} onClose={close} />
      </Suspense>
    </ChannelContext>
  )
  if (isVeryWide) return panel
  return (
    <Drawer open onOpenChange={close} side="end" label={t('Thread')}>
      {panel}
    </Drawer>
  )
}
