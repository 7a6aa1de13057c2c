import { Pin } from 'lucide-react'
import { Suspense } from 'react'
import { ChannelContext, type OpenChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useShortcut } from '#src/shortcuts/use-shortcut.ts'
import { Drawer } from '#src/ui/drawer.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { lazyComponent } from '#src/ui/lazy.tsx'
import { lazyPopup } from '#src/ui/lazy-popup.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { useMediaQuery, WIDE } from '#src/ui/use-media-query.ts'
import { usePopup } from '#src/ui/use-popup.ts'

const PinsPopup = lazyPopup(() => import('./pins-popup.tsx').then((module) => module.PinsPopup))
const PinsPanel = lazyComponent(() => import('./pins-panel.tsx').then((module) => module.PinsPanel))

/** In the header of a channel: what was pinned there. */
export function PinsButton({ channel }: { channel: OpenChannel }) {
  const { open, isWanted, change, trigger, popup } = usePopup({ kind: 'dialog' })
  const isWide = useMediaQuery(WIDE)
  useShortcut('pins', () => change(!open))

  const panel = (
    <ChannelContext value={channel}>
      <Suspense fallback={<Skeleton />}>
        <PinsPanel onClose={() => change(false)} />
      </Suspense>
    </ChannelContext>
  )
  if (!isWide)
    return (
      <>
        <IconButton label={t('Pinned messages')} icon={<Pin />} onClick={() => change(true)} />
        <Drawer open={open} onOpenChange={change} side="end" label={t('Pinned messages')}>
          {panel}
        </Drawer>
      </>
    )
  return (
    <>
      <IconButton {...trigger} label={t('Pinned messages')} icon={<Pin />} />
      {isWanted && <PinsPopup popup={popup}>{panel}</PinsPopup>}
    </>
  )
}
