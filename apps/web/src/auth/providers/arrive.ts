import type { LoginAnswer } from '@foyer/protocol/auth'
import { browserTokens } from '#src/session/tokens.ts'

/** Opens the client as the person who has signed in. @param next path to open */
export function arrive({ user: _, ...tokens }: LoginAnswer, next: string): void {
  browserTokens(window).save(tokens)
  window.location.replace(next)
}
