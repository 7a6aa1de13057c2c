import { limits } from '@foyer/protocol/limits'
import type { CurrentUser } from '@foyer/protocol/users'
import { checkUsername } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'

interface ProfileFormProps {
  me: CurrentUser
  /** Shows username and status as well. */
  isWhole?: boolean
  onSaved: () => void
}

export function ProfileForm({ me, isWhole = false, onSaved }: ProfileFormProps) {
  const { client, store } = useSession()

  async function save({ username = me.username, alias = '', custom }: Values) {
    const user = await client.users.updateMe({
      ...(username === me.username ? {} : { username }),
      alias: alias.trim() || null,
      ...(custom === undefined ? {} : { custom: custom.trim() || null }),
    })
    store.adopt('USER_UPDATE', user)
    onSaved()
  }

  return (
    <SubmitForm
      fields={isWhole ? ['username', 'alias', 'custom'] : ['alias']}
      check={({ username = me.username }) => checkUsername(username)}
      submit={save}
      guardsChanges={isWhole}
    >
      {(pending) => (
        <>
          {isWhole && (
            <TextField
              name="username"
              label={t('Username')}
              hint={t('Unique on this server. People can find you by it.')}
              defaultValue={me.username}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={limits.usernameMax}
            />
          )}
          <TextField
            name="alias"
            label={t('Display name')}
            placeholder={me.username}
            defaultValue={me.alias ?? ''}
            autoComplete="off"
            maxLength={limits.aliasMax}
          />
          {isWhole && (
            <TextField
              name="custom"
              label={t('Status')}
              placeholder={t('What are you up to?')}
              defaultValue={me.custom}
              autoComplete="off"
              maxLength={limits.customStatusMax}
            />
          )}
          <div className={isWhole ? 'form-actions' : 'form'}>
            <Button type="submit" look="primary" pending={pending}>
              {t('Save profile')}
            </Button>
          </div>
        </>
      )}
    </SubmitForm>
  )
}
