import type { ReactNode } from 'react'
import { DrawerPopup } from '#src/ui/dialogs/drawer-popup.tsx'
import { PopupPanel } from '#src/ui/popups/popup-panel.tsx'
import type { PopupAnchor } from '#src/ui/popups/use-popup.ts'
import { useMediaQuery, WIDE } from '#src/ui/use-media-query.ts'
import { ChannelContext, type OpenChannel } from './channel-context.ts'
import './channel-popup.css'

interface ChannelPopupProps {
  popup: PopupAnchor
  channel: OpenChannel
  label: string
  className?: string
  children: ReactNode
}

/** A panel of the channel in a popup below the button, or in a drawer on small screens. Load it with `lazyPopup`. */
export function ChannelPopup({ popup, channel, label, className = '', children }: ChannelPopupProps) {
  const { open, onOpenChange } = popup
  const isWide = useMediaQuery(WIDE)
  const panel = <ChannelContext value={channel}>{children}</ChannelContext>
  if (!isWide)
    return (
      <DrawerPopup open={open} onOpenChange={onOpenChange} side="end" label={label}>
        {panel}
      </DrawerPopup>
    )
  return (
    <PopupPanel
      popup={popup}
      label={label}
      className={`channel-popover ${className}`}
      side="bottom"
      align="end"
    >
      {panel}
    </PopupPanel>
  )
}
