import { limits } from '@foyer/protocol/limits'
import { useState } from 'react'
import { checkUsername } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { usernameIn } from '#src/ui/fields/typed-username.ts'
import { relationTo } from './profiles/relation.ts'
import { friendWords } from './profiles/words.ts'

/** Sends a friend request to a user with an exact username. */
export function AddFriend() {
  const { client, store } = useSession()
  const [outcome, setOutcome] = useState({ times: 0, message: '' })

  async function add(values: Values) {
    setOutcome(({ times }) => ({ times, message: '' }))
    const user = await client.users.find(usernameIn(values))
    const relation = relationTo(store.get(), user.id)
    // If the other user has already sent a request, this accepts it.
    const isAnswer = relation.kind === 'received'
    if (isAnswer) await client.friends.acceptRequest(relation.requestId)
    else await client.friends.sendRequest(user.id)
    const name = user.alias ?? user.username
    const message = isAnswer
      ? t('You and {name} are now friends.', { name })
      : t('Friend request sent to {name}.', { name })
    setOutcome(({ times }) => ({ times: times + 1, message }))
  }

  return (
    <section className="add-friend" aria-label={t('Add a friend')}>
      {/* A new key renders an empty, focused form after each success. */}
      <SubmitForm
        key={outcome.times}
        fields={['username']}
        check={(values) => checkUsername(usernameIn(values))}
        submit={add}
        words={friendWords}
        beginsHere={outcome.times > 0}
      >
        {(pending) => (
          <div className="field-and-button">
            <TextField
              name="username"
              label={t('Add a friend by username')}
              placeholder="mira.lindqvist"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={limits.usernameMax + 1}
            />
            <Button type="submit" look="primary" pending={pending}>
              {t('Send request')}
            </Button>
          </div>
        )}
      </SubmitForm>
      <p role="status" className="add-friend-outcome">
        {outcome.message}
      </p>
    </section>
  )
}
