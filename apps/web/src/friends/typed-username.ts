import type { Values } from '#src/ui/submit-form.tsx'

/** The username in a form's field: shown everywhere with an @, it is written so by some, and by some with capitals. */
export function usernameIn({ username = '' }: Values): string {
  return username.trim().replace(/^@/, '').toLowerCase()
}
