import { MessagesSquare } from 'lucide-react'
import { useEffect } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { usePopup } from '#src/ui/popups/use-popup.ts'
import { noteOpened } from '../starting/starters.ts'

const ThreadsPopup = lazyPopup(() => import('./threads-popup.tsx').then((module) => module.ThreadsPopup))

/** Opens the threads of a room, in its header. */
export function ThreadsButton({ channel }: { channel: OpenChannel }) {
  const session = useSession()
  const { isWanted, trigger, popup } = usePopup({ kind: 'dialog' })
  useEffect(() => noteOpened(session, channel.id), [session, channel.id])
  return (
    <>
      <IconButton {...trigger} label={t('Threads')} icon={<MessagesSquare />} />
      {isWanted && <ThreadsPopup popup={popup} channel={channel} />}
    </>
  )
}
