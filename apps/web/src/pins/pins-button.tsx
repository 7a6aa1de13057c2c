import { Popover } from '@base-ui/react/popover'
import { Pin } from 'lucide-react'
import { Suspense, useState } from 'react'
import { ChannelContext, type OpenChannel } from '#src/channels/channel-context.ts'
import { useShortcut } from '#src/shortcuts/use-shortcut.ts'
import { Drawer } from '#src/ui/drawer.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { lazyComponent } from '#src/ui/lazy.tsx'
import '#src/ui/menu.css'
import { useMediaQuery, WIDE } from '#src/ui/use-media-query.ts'
import './pins-button.css'

const PinsPanel = lazyComponent(() => import('./pins-panel.tsx').then((module) => module.PinsPanel))

/** In the header of a channel: what was pinned there. */
export function PinsButton({ channel }: { channel: OpenChannel }) {
  const [open, setOpen] = useState(false)
  const isWide = useMediaQuery(WIDE)
  useShortcut('pins', () => setOpen(!open))
  const trigger = <IconButton label="Pinned messages" icon={<Pin />} />

  const panel = (
    <ChannelContext value={channel}>
      <Suspense fallback={<p className="menu-note">Loading…</p>}>
        <PinsPanel onClose={() => setOpen(false)} />
      </Suspense>
    </ChannelContext>
  )
  if (!isWide)
    return (
      <>
        <IconButton label="Pinned messages" icon={<Pin />} onClick={() => setOpen(true)} />
        <Drawer open={open} onOpenChange={setOpen} side="right" label="Pinned messages">
          {panel}
        </Drawer>
      </>
    )
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner
          className="floating"
          side="bottom"
          align="end"
          sideOffset={8}
          collisionPadding={8}
        >
          <Popover.Popup className="popover pins-popover" aria-label="Pinned messages">
            {panel}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
