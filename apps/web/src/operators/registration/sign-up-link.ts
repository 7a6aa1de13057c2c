import type { OperatorInvite } from '@foyer/protocol/operators'

/** Returns the address at which people create an account with the invite. */
export function signUpLink({ code }: Pick<OperatorInvite, 'code'>): string {
  return `${window.location.origin}/sign-up/${code}`
}
