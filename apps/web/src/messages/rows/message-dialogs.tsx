import type { Message } from '@foyer/protocol/messages'
import { Suspense } from 'react'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'

const ForwardDialog = lazyComponent(() =>
  import('../forwarding/forward-dialog.tsx').then((module) => module.ForwardDialog),
)
const ReactorsDialog = lazyComponent(() =>
  import('../reactions/reactors-dialog.tsx').then((module) => module.ReactorsDialog),
)

/** The dialog, picker or thread opened from a message. */
export type Opened =
  | { readonly kind: 'picker' | 'forward' }
  | { readonly kind: 'reactions'; readonly emoji: string }
  | null

interface MessageDialogsProps {
  message: Message
  opened: NonNullable<Opened>
  onClose: () => void
}

export function MessageDialogs({ message, opened, onClose }: MessageDialogsProps) {
  return (
    <Suspense>
      {opened.kind === 'forward' && <ForwardDialog message={message} onClose={onClose} />}
      {opened.kind === 'reactions' && (
        <ReactorsDialog message={message} emoji={opened.emoji} onClose={onClose} />
      )}
    </Suspense>
  )
}
