import type { Values } from './submit-form.tsx'

/** Normalizes a typed username. Some people type the @ shown before usernames, or capital letters. */
export function asUsername(typed: string): string {
  return typed.trim().replace(/^@/, '').toLowerCase()
}

/** Returns the normalized username of a form. */
export function usernameIn({ username = '' }: Values): string {
  return asUsername(username)
}
