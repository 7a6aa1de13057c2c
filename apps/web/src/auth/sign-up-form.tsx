import { limits } from '@foyer/protocol/limits'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { connect } from '#src/session/connect.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { PasswordField } from '#src/ui/fields/password-field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { AnswerField } from './answer-field.tsx'
import { checkEmail, checkNewPassword, checkUsername } from './check.ts'
import { InviteField } from './invite-field.tsx'
import { type SigningUp, useSignUpPuzzle } from './puzzle/use-sign-up-puzzle.ts'
import { admissionOf, checkAdmission, isApplied, isRefusal, type SignUpRules } from './sign-up-rules.ts'
import { authWords } from './words.ts'

/** The rules that a sign-up form follows, and its callbacks. */
export interface SignUpOptions {
  readonly rules: SignUpRules
  /** Code of the invite, or token of the link, that the user opened. With it, the form does not ask for an invite. */
  readonly invite?: string
  /** Called when the server's rules refused the account, because they may have changed. */
  readonly onRefused: () => void
  /** Called when the application for an account has been submitted to the operators. */
  readonly onApplied: () => void
  /** Called after the server has created the account, before the client connects. */
  readonly onSignedIn?: () => void
}

interface SignUpFormProps {
  email: string
  onEmail: (email: string) => void
  beginsHere: boolean
  signUp: SignUpOptions
}

const ACCOUNT = ['username', 'email', 'password']

export function SignUpForm({ email, onEmail, beginsHere, signUp }: SignUpFormProps) {
  const { rules, invite } = signUp
  const puzzle = useSignUpPuzzle(rules.isOpen && rules.mayNeedPuzzle)
  const submit = useSubmit(puzzle, signUp)
  const [showsInvite, setShowsInvite] = useState(false)
  const offersInvite = rules.invite === 'optional' && invite === undefined
  const asksInvite = (rules.invite === 'required' && invite === undefined) || (offersInvite && showsInvite)
  const asksAnswer = rules.question !== null
  const fields = [...ACCOUNT, ...(asksInvite ? ['invite'] : []), ...(asksAnswer ? ['answer'] : [])]

  const check = (values: Values) => ({
    ...checkUsername(normalise(values.username ?? '')),
    ...checkEmail(values.email ?? ''),
    ...checkNewPassword(values.password ?? ''),
    ...checkAdmission(rules, values),
  })

  if (!rules.isOpen) return <p className="auth-lead">{t('This server isn’t accepting new accounts.')}</p>
  return (
    <SubmitForm fields={fields} check={check} submit={submit} beginsHere={beginsHere} words={authWords}>
      {(pending) => (
        <>
          {asksInvite && rules.invite === 'required' && <InviteField />}
          <AccountFields email={email} onEmail={onEmail} hasDomainRule={rules.hasDomainRule} />
          {rules.question !== null && <AnswerField question={rules.question} />}
          {asksInvite && rules.invite === 'optional' && <InviteField isOptional />}
          {offersInvite && !showsInvite && (
            <Button look="text" className="auth-aside" onClick={() => setShowsInvite(true)}>
              {t('I have an invite')}
            </Button>
          )}
          <Button type="submit" look="primary" pending={pending}>
            {rules.needsApproval ? t('Send application') : t('Create account')}
          </Button>
          <p role="status" hidden={puzzle.note === undefined} className="auth-note">
            {puzzle.note}
          </p>
        </>
      )}
    </SubmitForm>
  )
}

function useSubmit(
  puzzle: Pick<SigningUp, 'signUp'>,
  { invite, onRefused, onApplied, onSignedIn }: SignUpOptions,
) {
  const session = useSession()
  return async (values: Values) => {
    const { username = '', email = '', password = '' } = values
    const account = { username: normalise(username), email: email.trim(), password }
    try {
      await puzzle.signUp({ ...account, ...admissionOf(values, invite) })
    } catch (error) {
      if (isApplied(error)) return onApplied()
      if (isRefusal(error)) onRefused()
      throw error
    }
    onSignedIn?.()
    connect(session)
  }
}

interface AccountFieldsProps {
  email: string
  onEmail: (email: string) => void
  hasDomainRule: boolean
}

function AccountFields({ email, onEmail, hasDomainRule }: AccountFieldsProps) {
  return (
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
        hint={hasDomainRule ? t('This server only accepts addresses at certain domains.') : undefined}
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
    </>
  )
}

/** Lowercases a username, since phones start every field with a capital letter. */
function normalise(username: string): string {
  return username.trim().toLowerCase()
}
