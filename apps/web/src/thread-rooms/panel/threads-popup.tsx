import type { OpenChannel } from '#src/channels/channel-context.ts'
import { ChannelPopup } from '#src/channels/channel-popup.tsx'
import { t } from '#src/language/texts.ts'
import type { PopupAnchor } from '#src/ui/popups/use-popup.ts'
import './threads-popup.css'
import { ThreadsPanel } from './threads-panel.tsx'

interface ThreadsPopupProps {
  popup: PopupAnchor
  channel: OpenChannel
}

export function ThreadsPopup({ popup, channel }: ThreadsPopupProps) {
  return (
    <ChannelPopup popup={popup} channel={channel} label={t('Threads')} className="threads-popover">
      <ThreadsPanel key={channel.id} onClose={() => popup.onOpenChange(false)} />
    </ChannelPopup>
  )
}
