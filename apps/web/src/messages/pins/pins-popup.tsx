import type { OpenChannel } from '#src/channels/channel-context.ts'
import { ChannelPopup } from '#src/channels/channel-popup.tsx'
import { t } from '#src/language/texts.ts'
import type { PopupAnchor } from '#src/ui/popups/use-popup.ts'
import { PinsPanel } from './pins-panel.tsx'
import './pins-popup.css'

interface PinsPopupProps {
  popup: PopupAnchor
  channel: OpenChannel
}

export function PinsPopup({ popup, channel }: PinsPopupProps) {
  return (
    <ChannelPopup popup={popup} channel={channel} label={t('Pinned messages')}>
      <PinsPanel onClose={() => popup.onOpenChange(false)} />
    </ChannelPopup>
  )
}
