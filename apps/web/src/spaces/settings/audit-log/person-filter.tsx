import type { User } from '@foyer/protocol/users'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { matchesMember } from '#src/members/matching.ts'
import { MemberFinder } from '#src/members/member-finder.tsx'
import { MemberName } from '#src/members/member-name.tsx'
import { Avatar } from '#src/presence/avatar.tsx'
import { useAppState } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import type { EntryNames } from './entries/names.ts'

interface PersonFilterProps {
  space: SpaceEntry
  label: string
  /** Id of the chosen user; null for everyone. */
  value: string | null
  names: EntryNames
  /** Users of the log, who may have left the space. */
  people: readonly User[]
  onChange: (userId: string | null) => void
}

/** A field that opens a dialog to choose a person. */
export function PersonFilter(props: PersonFilterProps) {
  const { label, value, names } = props
  const [open, setOpen] = useState(false)
  const id = useId()
  const chosen = value === null ? t('Anyone') : names.user(value)
  return (
    <div className="field">
      <span id={id} className="field-label">
        {label}
      </span>
      <button
        type="button"
        className="field-control audit-person"
        aria-label={`${label}: ${chosen}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <bdi>{chosen}</bdi>
        <ChevronDown aria-hidden="true" />
      </button>
      {open && <PersonDialog {...props} onClose={() => setOpen(false)} />}
    </div>
  )
}

function PersonDialog(props: PersonFilterProps & { onClose: () => void }) {
  const { space, label, value, people, onChange, onClose } = props
  const members = useAppState((state) => state.members[space.id])
  const former = people.filter(({ id }) => members === undefined || !(id in members))

  function choose(userId: string | null) {
    onChange(userId)
    onClose()
  }

  return (
    <Modal open onOpenChange={onClose} title={label}>
      {value !== null && <Button onClick={() => choose(null)}>{t('Anyone')}</Button>}
      <MemberFinder
        space={space}
        nobody={t('No members match.')}
        above={(query) => <FormerMembers people={former} query={query} onChoose={choose} />}
      >
        {(member, name) => (
          <li key={member.id}>
            <button type="button" className="person-choice" onClick={() => choose(member.id)}>
              <MemberName space={space} member={member} name={name} />
            </button>
          </li>
        )}
      </MemberFinder>
    </Modal>
  )
}

interface FormerMembersProps {
  people: readonly User[]
  query: string
  onChoose: (userId: string) => void
}

/** People in the log who are no longer members. They are listed once the user types a name. */
function FormerMembers({ people, query, onChoose }: FormerMembersProps) {
  const found =
    query.trim() === '' ? [] : people.filter((user) => matchesMember({ user, nickname: null }, query))
  if (found.length === 0) return null
  return (
    <ul className="settings-list">
      {found.map((user) => (
        <li key={user.id}>
          <button type="button" className="person-choice" onClick={() => onChoose(user.id)}>
            <span className="settings-person">
              <Avatar id={user.id} name={user.username} picture={user.avatar} />
              <span className="settings-name">@{user.username}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
