import { Pin } from 'lucide-react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useShortcut } from '#src/shortcuts/use-shortcut.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { usePopup } from '#src/ui/popups/use-popup.ts'

const PinsPopup = lazyPopup(() => import('./pins-popup.tsx').then((module) => module.PinsPopup))

/** Opens the pinned messages, in the channel header. */
export function PinsButton({ channel }: { channel: OpenChannel }) {
  const { open, isWanted, change, trigger, popup } = usePopup({ kind: 'dialog' })
  useShortcut('pins', () => change(!open))
  return (
    <>
      <IconButton {...trigger} label={t('Pinned messages')} icon={<Pin />} />
      {isWanted && <PinsPopup popup={popup} channel={channel} />}
    </>
  )
}
