import { ChannelContext, type OpenChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { DrawerPopup } from '#src/ui/dialogs/drawer-popup.tsx'
import { PopupPanel } from '#src/ui/popups/popup-panel.tsx'
import type { PopupAnchor } from '#src/ui/popups/use-popup.ts'
import { useMediaQuery, WIDE } from '#src/ui/use-media-query.ts'
import './threads-popup.css'
import { ThreadsPanel } from './threads-panel.tsx'

interface ThreadsPopupProps {
  popup: PopupAnchor
  channel: OpenChannel
}

/** Threads of a room in a popup below the button, or in a drawer on small screens. */
export function ThreadsPopup({ popup, channel }: ThreadsPopupProps) {
  const { open, onOpenChange } = popup
  const isWide = useMediaQuery(WIDE)
  const label = t('Threads')
  const panel = (
    <ChannelContext value={channel}>
      <ThreadsPanel key={channel.id} onClose={() => onOpenChange(false)} />
    </ChannelContext>
  )
  if (!isWide)
    return (
      <DrawerPopup open={open} onOpenChange={onOpenChange} side="end" label={label}>
        {panel}
      </DrawerPopup>
    )
  return (
    <PopupPanel popup={popup} label={label} className="threads-popover" side="bottom" align="end">
      {panel}
    </PopupPanel>
  )
}
