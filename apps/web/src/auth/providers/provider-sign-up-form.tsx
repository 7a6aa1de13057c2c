import type { LoginAnswer } from '@foyer/protocol/auth'
import { limits } from '@foyer/protocol/limits'
import type { SignInTicket } from '@foyer/protocol/oidc'
import { Identities } from '@foyer/sdk/api/identities'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { AnswerField } from '../answer-field.tsx'
import { checkEmail, checkUsername } from '../check.ts'
import { InviteField } from '../invite-field.tsx'
import type { SignUpOptions } from '../sign-up-form.tsx'
import { admissionOf, checkAdmission, isApplied, isRefusal } from '../sign-up-rules.ts'
import { providerWords } from './provider-words.ts'

interface ProviderSignUpFormProps {
  ticket: SignInTicket
  signUp: Omit<SignUpOptions, 'onSignedIn'>
  onSignedIn: (login: LoginAnswer) => void
}

/** Asks for a username, an email address unless the provider confirmed one, and an answer and an invite if the server requires them. */
export function ProviderSignUpForm({ ticket, signUp, onSignedIn }: ProviderSignUpFormProps) {
  const { rules, invite } = signUp
  const [asksEmail, setAsksEmail] = useState(ticket.masked_email === null)
  const submit = useSubmit(signUp, onSignedIn)
  const asksInvite = rules.invite !== 'unused' && invite === undefined
  const fields = [
    'username',
    ...(asksEmail ? ['email'] : []),
    ...(asksInvite ? ['invite'] : []),
    ...(rules.question === null ? [] : ['answer']),
  ]
  const check = (values: Values) => ({
    ...checkUsername(nameIn(values)),
    ...(asksEmail ? checkEmail(values.email ?? '') : {}),
    ...checkAdmission(rules, values),
  })

  if (!rules.isOpen) return <p className="auth-lead">{t('This server isn’t accepting new accounts.')}</p>
  return (
    <SubmitForm fields={fields} check={check} submit={submit} beginsHere words={providerWords}>
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
            defaultValue={ticket.username ?? ''}
          />
          {asksEmail ? (
            <TextField name="email" label={t('Email')} type="email" autoComplete="email" />
          ) : (
            <ConfirmedEmail masked={ticket.masked_email ?? ''} onChange={() => setAsksEmail(true)} />
          )}
          {rules.question !== null && <AnswerField question={rules.question} />}
          {asksInvite && <InviteField />}
          <Button type="submit" look="primary" pending={pending}>
            {rules.needsApproval ? t('Send application') : t('Create account')}
          </Button>
        </>
      )}
    </SubmitForm>
  )
}

function ConfirmedEmail({ masked, onChange }: { masked: string; onChange: () => void }) {
  return (
    <p className="auth-note">
      {t('Email: {email}', { email: masked })}{' '}
      <Button look="text" onClick={onChange}>
        {t('Use another email address')}
      </Button>
    </p>
  )
}

function useSubmit(
  { invite, onApplied, onRefused }: ProviderSignUpFormProps['signUp'],
  onSignedIn: (login: LoginAnswer) => void,
) {
  const { client } = useSession()
  return async (values: Values) => {
    const email = values.email?.trim()
    const account = { username: nameIn(values), ...(email === undefined ? {} : { email }) }
    try {
      onSignedIn(await client.api(Identities).signUp({ ...account, ...admissionOf(values, invite) }))
    } catch (error) {
      if (isApplied(error)) return onApplied()
      if (isRefusal(error)) onRefused()
      throw error
    }
  }
}

/** Lowercases a username, since phones start every field with a capital letter. */
function nameIn({ username = '' }: Values): string {
  return username.trim().toLowerCase()
}
