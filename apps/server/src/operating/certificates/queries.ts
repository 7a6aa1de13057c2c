import type { Database } from '#src/kernel/database/database.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

export interface CertificateRow {
  directory: string | null
  chain: string | null
  private_key: Buffer | null
  /** ISO 8601. */
  renew_at: string | null
  tried_at: string | null
  failures: number
}

export async function findCertificate(
  database: Queryable,
  host: string,
): Promise<CertificateRow | undefined> {
  const [row] = await database.query<CertificateRow>(sql`
    select directory, chain, private_key, renew_at, tried_at, failures from certificates where host = ${host}`)
  return row
}

/**
 * Makes the caller the one process that requests a certificate.
 * @param seen time of the last attempt that the caller knows; a later attempt belongs to another process
 * @returns false if another process has the lease
 */
export async function takeLease(
  database: Database,
  { host, seen, seconds }: { host: string; seen: string | null; seconds: number },
): Promise<boolean> {
  const taken = await database.execute(sql`
    insert into certificates (host, leased_until, tried_at)
    values (${host}, now() + make_interval(secs => ${seconds}), now())
    on conflict (host) do update set leased_until = excluded.leased_until, tried_at = excluded.tried_at
    where (certificates.leased_until is null or certificates.leased_until < now())
      and certificates.tried_at is not distinct from ${seen}::timestamptz
    returning host`)
  return taken.length > 0
}

export async function endLease(
  database: Database,
  { host, hasFailed }: { host: string; hasFailed: boolean },
): Promise<void> {
  await database.execute(sql`
    update certificates set leased_until = null, failures = failures + ${hasFailed ? 1 : 0}
    where host = ${host}`)
}

export interface NewCertificate {
  host: string
  directory: string
  chain: string
  privateKey: Buffer
  renewAt: Date
}

export async function storeCertificate(
  database: Database,
  { host, directory, chain, privateKey, renewAt }: NewCertificate,
): Promise<void> {
  await database.execute(sql`
    update certificates set directory = ${directory}, chain = ${chain}, private_key = ${privateKey},
      renew_at = ${renewAt}, leased_until = null, failures = 0
    where host = ${host}`)
}

export async function findAccountKey(database: Queryable, directory: string): Promise<Buffer | undefined> {
  const [row] = await database.query<{ private_key: Buffer }>(sql`
    select private_key from acme_accounts where directory = ${directory}`)
  return row?.private_key
}

export async function storeAccountKey(
  database: Database,
  directory: string,
  privateKey: Buffer,
): Promise<void> {
  await database.execute(sql`
    insert into acme_accounts (directory, private_key) values (${directory}, ${privateKey})
    on conflict (directory) do update set private_key = excluded.private_key`)
}

export interface Challenge {
  token: string
  host: string
  kind: ChallengeKind
  key_authorization: string
}

export type ChallengeKind = 'http-01' | 'tls-alpn-01'

export async function listChallenges(database: Queryable): Promise<Challenge[]> {
  return database.query<Challenge>(sql`
    select token, host, kind, key_authorization from acme_challenges where expires_at > now() order by token`)
}

export async function insertChallenge(
  database: Database,
  { token, host, kind, key_authorization: text }: Challenge,
  seconds: number,
): Promise<void> {
  await database.execute(sql`
    insert into acme_challenges (token, host, kind, key_authorization, expires_at)
    values (${token}, ${host}, ${kind}, ${text}, now() + make_interval(secs => ${seconds}))
    on conflict (token) do update set key_authorization = excluded.key_authorization, kind = excluded.kind,
      expires_at = excluded.expires_at`)
}

export async function deleteChallenge(database: Database, token: string): Promise<void> {
  await database.execute(sql`delete from acme_challenges where token = ${token}`)
}
