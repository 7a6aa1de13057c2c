import type { ReactNode } from 'react'
import { PresenceWords } from '#src/presence/presence-mark.tsx'
import { useAppState } from '#src/session/context.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import './person-row.css'
import { ProfileButton } from './profile-cards.tsx'

/** Somebody, by what an answer said of them. */
export interface Person {
  readonly id: string
  readonly username: string
  readonly alias: string | null
  readonly avatar: string | null
}

interface PersonRowProps {
  person: Person
  /** What stands beside the username. */
  note?: string
  /** Why what was tried did not work. */
  error?: string | null
  /** What can be done about them. */
  children: (name: string) => ReactNode
}

/** One of a list of people. */
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
