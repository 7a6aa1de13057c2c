import type { LoginBody } from '@foyer/protocol/auth'
import { ApiError } from '@foyer/sdk/rest'
import { type ReactNode, useState } from 'react'
import { t } from '#src/language/texts.ts'
import type { Values } from '#src/ui/fields/submit-form.tsx'
import { checkGiven } from './check.ts'
import { CodeStep } from './code-step.tsx'

interface PasswordSteps {
  check(values: Values): ReturnType<typeof checkGiven>
  submit(values: Values): Promise<void>
  /** The step that asks for a code, in place of the form; null until one is needed. */
  codeStep: ReactNode
}

/** The steps of a form with `email` and `password`. If both are right, the server may also require a code. */
export function usePasswordSteps(signIn: (body: LoginBody) => Promise<void>): PasswordSteps {
  /** Email address and password, once they are right and a code is needed. */
  const [given, setGiven] = useState<LoginBody | null>(null)

  async function submit({ email = '', password = '' }: Values) {
    const body = { email: email.trim(), password }
    try {
      await signIn(body)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'second_factor_required') throw error
      setGiven(body)
    }
  }

  return {
    check: (values) => ({
      ...checkGiven(values, 'email', t('Enter your email address or username.')),
      ...checkGiven(values, 'password', t('Enter your password.')),
    }),
    submit,
    codeStep: given !== null && (
      <CodeStep signIn={(code) => signIn({ ...given, code })} onBack={() => setGiven(null)} />
    ),
  }
}
