import type { OperatorUser } from '@foyer/protocol/operators'

/** Replaces an account in the list; null removes it. */
export function withAccount(
  accounts: readonly OperatorUser[],
  userId: string,
  account: OperatorUser | null,
): OperatorUser[] {
  return accounts.flatMap((each) => {
    if (each.user.id !== userId) return [each]
    return account === null ? [] : [account]
  })
}
