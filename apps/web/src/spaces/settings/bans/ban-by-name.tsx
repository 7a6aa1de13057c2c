import type { Ban } from '@foyer/protocol/bans'
import { limits } from '@foyer/protocol/limits'
import type { User } from '@foyer/protocol/users'
import { useState } from 'react'
import { checkUsername } from '#src/auth/check.ts'
import { friendWords } from '#src/friends/profiles/words.ts'
import { t } from '#src/language/texts.ts'
import { BanDialog } from '#src/members/actions/ban-dialog.tsx'
import { rightsInSpace } from '#src/permissions/rights.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { personName } from '#src/store/users.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { usernameIn } from '#src/ui/fields/typed-username.ts'

interface BanByNameProps {
  space: SpaceEntry
  /** The bans that are loaded, which may not be all. */
  bans: readonly Ban[]
}

interface Found {
  readonly user: User
  readonly isMember: boolean
}

/** Bans a user by exact username, member or not. */
export function BanByName({ space, bans }: BanByNameProps) {
  const { client } = useSession()
  const [found, setFound] = useState<Found | null>(null)
  const [problem, setProblem] = useState('')
  const [outcome, setOutcome] = useState({ times: 0, message: '' })

  async function find(values: Values) {
    setProblem('')
    setOutcome(({ times }) => ({ times, message: '' }))
    const user = await client.users.find(usernameIn(values))
    const { members } = await client.gateway.requestMembers({ space_id: space.id, user_ids: [user.id] })
    const mayBan = members.every((member) => rightsInSpace(space).outranks(member))
    const isBanned = bans.some(({ user_id }) => user_id === user.id)
    if (isBanned) setProblem(t('{name} is already banned.', { name: personName(user) }))
    else if (mayBan) setFound({ user, isMember: members.length > 0 })
    else setProblem(t('You can only ban members below your highest role.'))
  }

  function onBanned(user: User) {
    const message = t('{name} is banned.', { name: personName(user) })
    setOutcome(({ times }) => ({ times: times + 1, message }))
  }

  /** Clears the error as soon as the user types another name. */
  const handlers = { onInput: () => setProblem('') }

  return (
    <div className="finder" {...handlers}>
      {/* Remounted after each ban, to empty the field and focus it. */}
      <SubmitForm
        key={outcome.times}
        fields={['username']}
        check={(values) => checkUsername(usernameIn(values))}
        submit={find}
        words={friendWords}
        beginsHere={outcome.times > 0}
      >
        {(pending) => <UsernameField pending={pending} />}
      </SubmitForm>
      <p role="alert" hidden={problem === ''} className="form-error">
        {problem}
      </p>
      <p role="status" className="finder-note">
        {outcome.message}
      </p>
      {found !== null && (
        <BanDialog
          space={space}
          userId={found.user.id}
          isMember={found.isMember}
          name={personName(found.user)}
          onClose={() => setFound(null)}
          onBanned={() => onBanned(found.user)}
        />
      )}
    </div>
  )
}

function UsernameField({ pending }: { pending: boolean }) {
  return (
    <div className="field-and-button">
      <TextField
        name="username"
        label={t('Ban by username')}
        hint={t('Works even if they’re not a member.')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.usernameMax + 1}
      />
      <Button type="submit" pending={pending}>
        {t('Ban…')}
      </Button>
    </div>
  )
}
