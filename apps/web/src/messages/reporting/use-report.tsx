import type { Message } from '@foyer/protocol/messages'
import { ChannelContext, useChannel } from '#src/channels/channel-context.ts'
import { useChannelDialog } from '#src/channels/use-channel-dialog.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'

const ReportMessage = lazyComponent(() =>
  import('./report-message.tsx').then((module) => module.ReportMessage),
)

/** Returns a function that opens the report dialog, which stays open when the message is deleted or scrolled away. */
export function useReport(message: Message): () => void {
  const channel = useChannel()
  const openDialog = useChannelDialog(channel)
  return () =>
    openDialog((close) => (
      <ChannelContext value={channel}>
        <ReportMessage message={message} onClose={close} />
      </ChannelContext>
    ))
}
