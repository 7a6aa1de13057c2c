import type { User } from '@foyer/protocol/users'
import { Check, UserSearch, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useMemberSearch } from '#src/members/use-member-search.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { useAppState, useSession } from '#src/session/context.ts'
import { personName } from '#src/store/users.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SearchField } from '#src/ui/fields/search-field.tsx'
import { asUsername } from '#src/ui/fields/typed-username.ts'
import { useAction } from '#src/ui/fields/use-action.ts'
import { BotBadge } from '#src/ui/marks/bot-badge.tsx'
import { type Candidate, candidates, foundCandidates } from './candidates.ts'
import './people-picker.css'

interface PeoplePickerProps {
  chosen: readonly User[]
  onChange: (chosen: readonly User[]) => void
  /** Users who cannot be selected, because they are already members. */
  excluded?: readonly User[]
  /** Maximum number of selected users. */
  max: number
}

/** Maximum number of rendered rows. Users narrow the list down by typing. */
const MAX_LISTED = 50

/** Maximum number of spaces searched for members. A connection may send 20 such requests per 10 s, shared by all components. */
const MAX_SEARCHED_SPACES = 8

const NONE: readonly User[] = []

const words = { unknown_user: t('No user with that name. Check the spelling.') }

/** Selects users to message: friends, members of the user's spaces, or anyone by their exact username. */
export function PeoplePicker({ chosen, onChange, excluded = NONE, max }: PeoplePickerProps) {
  const [query, setQuery] = useState('')
  const all = useCandidates(excluded)
  const spaces = useAppState((state) => state.spaces)
  const found = useMemo(() => foundCandidates(all, query), [all, query])
  const isFull = chosen.length >= max
  const isChosen = ({ id }: User) => chosen.some((user) => user.id === id)
  /** The user selected by Enter. */
  const nearest = query.trim() === '' ? undefined : found.find(({ user }) => !isChosen(user))?.user

  function toggle(user: User) {
    if (isChosen(user)) return onChange(chosen.filter(({ id }) => id !== user.id))
    if (isFull) return
    onChange([...chosen, user])
    setQuery('')
  }

  return (
    <div className="people-picker">
      {chosen.length > 0 && (
        <ul className="picked" aria-label={t('Selected')}>
          {chosen.map((user) => (
            <li key={user.id}>
              <button
                type="button"
                aria-label={t('Remove {name}', { name: personName(user) })}
                onClick={() => toggle(user)}
              >
                {personName(user)} <X aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <SearchField
        label={t('Find people')}
        value={query}
        onChange={setQuery}
        onEnter={() => nearest !== undefined && toggle(nearest)}
      />
      <div className="pickable">
        <ul>
          {found.slice(0, MAX_LISTED).map((candidate) => (
            <li key={candidate.user.id} className={candidate.user === nearest ? 'nearest' : undefined}>
              <Person
                candidate={candidate}
                isChosen={isChosen(candidate.user)}
                isFull={isFull}
                onToggle={() => toggle(candidate.user)}
              />
            </li>
          ))}
        </ul>
        {found.length === 0 && <ByUsername query={query} onFound={toggle} />}
      </div>
      {Object.keys(spaces)
        .slice(0, MAX_SEARCHED_SPACES)
        .map((id) => (
          <SpaceMemberSearch key={id} id={id} query={query} />
        ))}
      {isFull && <p className="finder-note">{t('You can’t add any more people.')}</p>}
    </div>
  )
}

/** Searches the members of a space on the server, since members of unopened spaces are not loaded. */
function SpaceMemberSearch({ id, query }: { id: string; query: string }) {
  useMemberSearch(id, query)
  return null
}

interface PersonProps {
  candidate: Candidate
  isChosen: boolean
  isFull: boolean
  onToggle: () => void
}

function Person({ candidate: { user, isFriend }, isChosen, isFull, onToggle }: PersonProps) {
  const name = personName(user)
  return (
    <label className="pickable-person">
      <input
        type="checkbox"
        className="visually-hidden"
        aria-label={`${name}, @${user.username}`}
        checked={isChosen}
        disabled={isFull && !isChosen}
        onChange={onToggle}
      />
      <Avatar id={user.id} name={name} size="sm" picture={user.avatar} />
      <span className="pickable-names">
        <span className="person-name" dir="auto">
          {name}
        </span>
        <span className="person-note">
          @{user.username}
          {isFriend && ` · ${t('friend')}`}
        </span>
      </span>
      {user.is_bot && <BotBadge />}
      <span className="pick-mark">{isChosen && <Check aria-hidden="true" />}</span>
    </label>
  )
}

/** Finds users by their exact username, beyond those already loaded. */
function ByUsername({ query, onFound }: { query: string; onFound: (user: User) => void }) {
  const { client } = useSession()
  const { pending, error, run } = useAction(words)
  const username = asUsername(query)
  if (username === '')
    return (
      <p className="finder-note by-username">
        {t('Your friends and people from your spaces appear here. Type a username to find anyone else.')}
      </p>
    )
  return (
    <div className="by-username">
      <p className="finder-note">{t('No matches among people you know.')}</p>
      <Button pending={pending} onClick={() => run(async () => onFound(await client.users.find(username)))}>
        <UserSearch aria-hidden="true" /> {t('Search for @{username}', { username })}
      </Button>
      {error !== null && (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
    </div>
  )
}

function useCandidates(excluded: readonly User[]): Candidate[] {
  const me = useAppState((state) => state.me)
  const users = useAppState((state) => state.users)
  const friends = useAppState((state) => state.friends)
  const blocks = useAppState((state) => state.blocks)
  const members = useAppState((state) => state.members)
  const conversations = useAppState((state) => state.conversations)
  return useMemo(
    () =>
      candidates({ me, users, friends, blocks, members, conversations }, (user) =>
        excluded.every(({ id }) => id !== user.id),
      ),
    [me, users, friends, blocks, members, conversations, excluded],
  )
}
