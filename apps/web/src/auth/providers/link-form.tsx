import type { LoginAnswer, LoginBody } from '@foyer/protocol/auth'
import { Identities } from '@foyer/sdk/api/identities'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { PasswordField } from '#src/ui/fields/password-field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { usePasswordSteps } from '../use-password-steps.tsx'
import { providerWords } from './provider-words.ts'

/** Signs in to an account with its password, and links the identity to it. */
export function LinkForm({ onSignedIn }: { onSignedIn: (login: LoginAnswer) => void }) {
  const { client } = useSession()

  async function signIn(body: LoginBody) {
    onSignedIn(await client.api(Identities).logInAndLink(body))
  }

  const { check, submit, codeStep } = usePasswordSteps(signIn)
  if (codeStep) return codeStep
  return (
    <SubmitForm fields={['email', 'password']} check={check} submit={submit} beginsHere words={providerWords}>
      {(pending) => (
        <>
          <TextField
            name="email"
            label={t('Email or username')}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
          <PasswordField name="password" label={t('Password')} autoComplete="current-password" />
          <Button type="submit" look="primary" pending={pending}>
            {t('Sign in')}
          </Button>
        </>
      )}
    </SubmitForm>
  )
}
