import { ChannelContext, type OpenChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Drawer } from '#src/ui/dialogs/drawer.tsx'
import { useMediaQuery, VERY_WIDE } from '#src/ui/use-media-query.ts'
import { closeThread } from '../reading/open-thread.ts'
import { ThreadPanel } from './thread-panel.tsx'

interface ThreadBesideProps {
  channel: OpenChannel
  threadId: string
}

/** A thread beside its channel; in a drawer if the window is too narrow. */
export function ThreadBeside({ channel, threadId }: ThreadBesideProps) {
  const session = useSession()
  const isVeryWide = useMediaQuery(VERY_WIDE)
  const close = () => closeThread(session)
  const jumpTo = (messageId: string) => {
    if (!isVeryWide) close()
    channel.jumpTo(messageId)
  }
  const panel = (
    <ChannelContext value={{ ...channel, threadId, jumpTo }}>
      <ThreadPanel key={threadId} threadId={threadId} onClose={close} />
    </ChannelContext>
  )
  if (isVeryWide) return panel
  return (
    <Drawer open onOpenChange={close} side="end" label={t('Replies')}>
      {panel}
    </Drawer>
  )
}
