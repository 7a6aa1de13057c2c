import type { Message } from '@foyer/protocol/messages'
import { useEffect } from 'react'
import { ComposerForm, type ComposerProps } from '#src/messages/composer-form.tsx'
import { useAppState } from '#src/session/context.ts'
import { isTouch } from '#src/ui/is-touch.ts'

interface ThreadComposerProps extends ComposerProps {
  /** What is answered: the first message, or the last one that is left. */
  answered: Message
}

/** Where one goes on with a thread. */
export function ThreadComposer({ answered, ...props }: ThreadComposerProps) {
  const { input } = props
  const myId = useAppState((state) => state.me?.id)
  const isOwn = answered.author.id === myId || answered.webhook_id !== null

  useEffect(() => {
    // On glass this would call up a keyboard over what one came to read.
    if (!isTouch()) input.current?.focus({ preventScroll: true })
  }, [input])

  return <ComposerForm {...props} answered={{ id: answered.id, isOwn }} />
}
