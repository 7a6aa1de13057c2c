import type { Message } from '@foyer/protocol/messages'
import { type ReactNode, useMemo } from 'react'
import { MentionedContext } from '#src/mentions/mentioned.ts'

interface MentionedHereProps {
  message: Pick<Message, 'mentions' | 'mention_everyone'>
  children: ReactNode
}

/** Around what a message says: whom it names. */
export function MentionedHere({ message: { mentions, mention_everyone }, children }: MentionedHereProps) {
  const mentioned = useMemo(
    () => ({ people: mentions, everyone: mention_everyone }),
    [mentions, mention_everyone],
  )
  return <MentionedContext value={mentioned}>{children}</MentionedContext>
}
