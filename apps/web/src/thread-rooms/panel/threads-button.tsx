import { MessagesSquare } from 'lucide-react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { lazyAside, lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { usePopup } from '#src/ui/popups/use-popup.ts'

const ThreadsPopup = lazyPopup(() => import('./threads-popup.tsx').then((module) => module.ThreadsPopup))
const OpenedRoom = lazyAside(() => import('../starting/opened-room.tsx').then((module) => module.OpenedRoom))

/** Opens the threads of a room, in its header. */
export function ThreadsButton({ channel }: { channel: OpenChannel }) {
  const { isWanted, trigger, popup } = usePopup({ kind: 'dialog' })
  return (
    <>
      <OpenedRoom key={channel.id} roomId={channel.id} />
      <IconButton {...trigger} label={t('Threads')} icon={<MessagesSquare />} />
      {isWanted && <ThreadsPopup popup={popup} channel={channel} />}
    </>
  )
}
