import type { Message } from '@foyer/protocol/messages'
import { createContext } from 'react'

/** Users mentioned in a message, as the server resolved them; the client may not know all of them. */
export type Mentioned = Pick<Message, 'mentions' | 'mention_everyone'>

/** The mentions of the surrounding message. */
export const MentionedContext = createContext<Mentioned>({ mentions: [], mention_everyone: false })
