import type { Message } from '@foyer/protocol/messages'
import { useEffect } from 'react'
import { useAppState } from '#src/session/context.ts'
import { isTouch } from '#src/ui/is-touch.ts'
import { ComposerForm, type ComposerProps } from '../composer/composer-form.tsx'

interface ThreadComposerProps extends ComposerProps {
  /** The message that replies refer to: the thread's first message, or if it was deleted, the last reply. */
  answered: Message
}

/** Composer of a thread. */
export function ThreadComposer({ answered, ...props }: ThreadComposerProps) {
  const { input } = props
  const myId = useAppState((state) => state.me?.id)
  const isOwn = answered.author.id === myId || answered.webhook_id !== null

  useEffect(() => {
    // On touch devices the on-screen keyboard would cover the thread.
    if (!isTouch()) input.current?.focus({ preventScroll: true })
  }, [input])

  return <ComposerForm {...props} answered={{ id: answered.id, isOwn }} />
}
