import { ChannelContext, type OpenChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { DrawerPopup } from '#src/ui/dialogs/drawer-popup.tsx'
import { PopupPanel } from '#src/ui/popups/popup-panel.tsx'
import type { PopupAnchor } from '#src/ui/popups/use-popup.ts'
import { useMediaQuery, WIDE } from '#src/ui/use-media-query.ts'
import { PinsPanel } from './pins-panel.tsx'
import './pins-popup.css'

interface PinsPopupProps {
  popup: PopupAnchor
  channel: OpenChannel
}

/** Pinned messages in a popup below the button, or in a drawer on small screens. */
export function PinsPopup({ popup, channel }: PinsPopupProps) {
  const { open, onOpenChange } = popup
  const isWide = useMediaQuery(WIDE)
  const label = t('Pinned messages')
  const panel = (
    <ChannelContext value={channel}>
      <PinsPanel onClose={() => onOpenChange(false)} />
    </ChannelContext>
  )
  if (!isWide)
    return (
      <DrawerPopup open={open} onOpenChange={onOpenChange} side="end" label={label}>
        {panel}
      </DrawerPopup>
    )
  return (
    <PopupPanel popup={popup} label={label} className="pins-popover" side="bottom" align="end">
      {panel}
    </PopupPanel>
  )
}
