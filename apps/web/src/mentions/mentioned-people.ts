import type { User } from '@foyer/protocol/users'
import { createContext } from 'react'

/** The people whom the message around names, as it told of them: not all of them are known otherwise. */
export const MentionedPeople = createContext<readonly User[]>([])
