import { limits } from '@foyer/protocol/limits'
import { t } from '#src/language/texts.ts'
import { connect } from '#src/session/connect.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { PasswordField } from '#src/ui/fields/password-field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { checkEmail, checkNewPassword, checkUsername } from './check.ts'

interface SignUpFormProps {
  email: string
  onEmail: (email: string) => void
  beginsHere: boolean
}

export function SignUpForm({ email, onEmail, beginsHere }: SignUpFormProps) {
  const session = useSession()

  async function signUp({ username = '', email = '', password = '' }: Values) {
    await session.client.auth.signin({ username: normalise(username), email: email.trim(), password })
    connect(session)
  }

  const check = (values: Values) => ({
    ...checkUsername(normalise(values.username ?? '')),
    ...checkEmail(values.email ?? ''),
    ...checkNewPassword(values.password ?? ''),
  })

  return (
    <SubmitForm
      fields={['username', 'email', 'password']}
      check={check}
      submit={signUp}
      beginsHere={beginsHere}
    >
      {(pending) => (
        <>
          <TextField
            name="username"
            label={t('Username')}
            hint={t('Lowercase letters, numbers, dots and underscores.')}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={limits.usernameMax}
          />
          <TextField
            name="email"
            label={t('Email')}
            type="email"
            autoComplete="email"
            defaultValue={email}
            onValueChange={onEmail}
          />
          <PasswordField
            name="password"
            label={t('Password')}
            hint={t('At least {min} characters.', { min: limits.passwordMin })}
            autoComplete="new-password"
          />
          <Button type="submit" look="primary" pending={pending}>
            {t('Create account')}
          </Button>
        </>
      )}
    </SubmitForm>
  )
}

/** Lowercases a username, since phones start every field with a capital letter. */
function normalise(username: string): string {
  return username.trim().toLowerCase()
}
