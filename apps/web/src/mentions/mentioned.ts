import type { Message } from '@foyer/protocol/messages'
import { createContext } from 'react'

/** Whom the message around tells, as its sender could: not all of them are known otherwise. */
export type Mentioned = Pick<Message, 'mentions' | 'mention_everyone'>

/** Around what a message says: that message. */
export const MentionedContext = createContext<Mentioned>({ mentions: [], mention_everyone: false })
