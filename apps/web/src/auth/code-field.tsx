import { ApiError } from '@foyer/sdk/rest'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { TextField } from '#src/ui/fields/field.tsx'
import type { Values } from '#src/ui/fields/submit-form.tsx'

/** The field `code` for a code of the second factor. */
export function CodeField() {
  return (
    <TextField
      name="code"
      label={t('Code')}
      hint={t('From your authenticator app, or one of your recovery codes.')}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
}

/** Returns the request body's field `code`; an empty object if the user has typed none. */
export function codeOf({ code = '' }: Values): { code?: string } {
  const typed = code.trim()
  return typed === '' ? {} : { code: typed }
}

/** A field for a code in a form with a password: shown once the server demands a code. */
export function useCodeField() {
  const [isNeeded, setIsNeeded] = useState(false)

  async function withCode<T>(request: Promise<T>): Promise<T> {
    try {
      return await request
    } catch (error) {
      if (error instanceof ApiError && error.code === 'code_required') setIsNeeded(true)
      throw error
    }
  }

  return { codeField: isNeeded && <CodeField />, withCode }
}
