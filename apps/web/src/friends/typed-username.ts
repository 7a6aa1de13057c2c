import type { Values } from '#src/ui/submit-form.tsx'

/** The username that was typed: shown everywhere with an @, it is written so by some, and by some with capitals. */
export function asUsername(typed: string): string {
  return typed.trim().replace(/^@/, '').toLowerCase()
}

/** That in a form's field. */
export function usernameIn({ username = '' }: Values): string {
  return asUsername(username)
}
