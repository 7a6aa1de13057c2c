import type { User } from '@foyer/protocol/users'
import { createContext } from 'react'

/** Whom the message around tells, as its sender could: not all of them are known otherwise. */
export interface Mentioned {
  readonly people: readonly User[]
  readonly everyone: boolean
}

export const MentionedContext = createContext<Mentioned>({ people: [], everyone: false })
