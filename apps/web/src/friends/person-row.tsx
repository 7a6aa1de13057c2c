import type { ReactNode } from 'react'
import { Avatar } from '#src/presence/avatar.tsx'
import { PresenceWords } from '#src/presence/presence-mark.tsx'
import { useAppState } from '#src/session/context.ts'
import './person-row.css'
import { ProfileButton } from './profiles/profile-cards.tsx'

/** A user as returned by a request, shown until the store has newer data. */
export interface Person {
  readonly id: string
  readonly username: string
  readonly alias: string | null
  readonly avatar: string | null
}

interface PersonRowProps {
  person: Person
  /** Shown after the username. */
  note?: string
  /** Error of the last action. */
  error?: string | null
  /** Returns the action buttons. */
  children: (name: string) => ReactNode
}

export function PersonRow({ person, note = '', error = null, children }: PersonRowProps) {
  const { username, alias } = useAppState((state) => state.users[person.id]) ?? person
  const name = alias ?? username
  return (
    <li className="person">
      <ProfileButton userId={person.id} className="person-who">
        <Avatar id={person.id} name={name} picture={person.avatar} hasPresence />
        <span className="person-names">
          <span className="person-name" dir="auto">
            {name}
          </span>
          <PresenceWords userId={person.id} />
          <span className="person-note">{note === '' ? `@${username}` : `@${username} · ${note}`}</span>
        </span>
      </ProfileButton>
      <span className="person-actions">{children(name)}</span>
      {error !== null && (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
    </li>
  )
}
