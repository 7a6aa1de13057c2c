import type { LoginAnswer, LoginBody } from '@foyer/protocol/auth'
import { Identities } from '@foyer/sdk/api/identities'
import { ApiError } from '@foyer/sdk/rest'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { PasswordField } from '#src/ui/fields/password-field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { checkGiven } from '../check.ts'
import { CodeStep } from '../code-step.tsx'
import { providerWords } from './provider-words.ts'

/** Signs in to an account by its password, which links the identity to it. */
export function LinkForm({ onSignedIn }: { onSignedIn: (login: LoginAnswer) => void }) {
  const { client } = useSession()
  /** Email address and password, once they are right and a code is needed. */
  const [given, setGiven] = useState<LoginBody | null>(null)

  async function signIn(body: LoginBody) {
    onSignedIn(await client.api(Identities).logInAndLink(body))
  }

  async function submit({ email = '', password = '' }: Values) {
    const body = { email: email.trim(), password }
    try {
      await signIn(body)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'second_factor_required') throw error
      setGiven(body)
    }
  }

  const check = (values: Values) => ({
    ...checkGiven(values, 'email', t('Enter your email address or username.')),
    ...checkGiven(values, 'password', t('Enter your password.')),
  })

  if (given !== null)
    return <CodeStep signIn={(code) => signIn({ ...given, code })} onBack={() => setGiven(null)} />
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
