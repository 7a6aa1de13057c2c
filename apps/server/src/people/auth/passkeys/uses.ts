import type { PasskeyLoginBody } from '@foyer/protocol/passkeys'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { lockCurrentUser } from '#src/people/users/queries.ts'
import { checkUse, handleOf } from './ceremonies.ts'
import { countUse, findByCredential, type Use } from './queries.ts'
import type { PasskeySite } from './site.ts'

/** A use of a passkey whose signature is right. */
export interface ProvenUse {
  userId: string
  use: Use
}

interface GivenUse {
  site: PasskeySite
  challenge: Buffer
  credential: PasskeyLoginBody['credential']
}

/** @returns undefined for an unknown passkey, and for a signature of another challenge, page or account */
export async function findProvenUse(
  database: Database,
  { site, challenge, credential }: GivenUse,
): Promise<ProvenUse | undefined> {
  const passkey = await findByCredential(database, Buffer.from(credential.id, 'base64url'))
  if (passkey === undefined) return undefined
  const { id, user_id: userId, public_key: publicKey } = passkey
  if (credential.response.userHandle !== handleOf(userId)) return undefined
  const checked = await checkUse(site, challenge, credential, publicKey)
  return checked && { userId, use: { id, ...checked } }
}

/** Records the use, or mails the account that its passkey may have been copied. */
export async function countProvenUse(
  transaction: Transaction,
  { userId, use }: ProvenUse,
): Promise<'counted' | 'copied' | 'gone'> {
  // The user is locked before the passkey, in the same order as elsewhere.
  await lockCurrentUser(transaction, userId)
  const outcome = await countUse(transaction, use)
  if (outcome === 'copied')
    await enqueueJob(transaction, 'mail_passkey', { user_id: userId, change: 'copied' })
  return outcome
}
