import type { Transaction } from '#src/kernel/database/database.ts'
import type { AuthClient } from '../client.ts'
import type { AuthDeps } from '../deps.ts'
import { keepWayBack } from '../way-back/snapshots.ts'
import { countNewDevices, rememberDevice } from './queries.ts'

/** Maximum logins of unknown devices mailed per day. The links in these mails also log later devices out. */
const MAX_MAILS_A_DAY = 20

interface NewLogin {
  userId: string
  client: AuthClient
  /** True if the client has a session of the account. */
  isKnown: boolean
}

/** Mails the user about a login from an unknown device. Called in the login's transaction, after it has locked the user. */
export async function noteLogin(
  transaction: Transaction,
  { deviceMacs }: Pick<AuthDeps, 'deviceMacs'>,
  { userId, client, isKnown }: NewLogin,
): Promise<void> {
  const isNew = await rememberDevice(transaction, userId, deviceMacs.of(userId, client))
  if (!isNew || isKnown) return
  if ((await countNewDevices(transaction, userId)) >= MAX_MAILS_A_DAY) return
  await keepWayBack(transaction, userId, 'signed_in', client)
}
