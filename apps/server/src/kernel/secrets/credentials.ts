import { timingSafeEqual } from 'node:crypto'
import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import type { CurrentUser } from '@foyer/protocol/users'
import { Cache, growingLru } from '../cache.ts'
import type { Database } from '../database/database.ts'
import { hashToken, UUID } from '../ids.ts'
import type { Bus, Event } from '../journal/bus.ts'
import { plainAddress } from '../plain-address.ts'
import { Batched } from '../sql/batched.ts'
import { sql } from '../sql/sql.ts'
import { webPresenceColumn } from '../sql/web-presence.ts'
import { isUnlocked } from './account-locks.ts'
import type { TokenClaims, TokenSigner } from './tokens.ts'

/** The user or bot that makes a request. */
export type Caller = Person | Bot

interface Account {
  readonly user: CurrentUser
  /** Context for the audit log entry of the change. */
  readonly audit?: AuditContext
}

interface Person extends Account {
  readonly kind: 'human'
  readonly sessionId: string
  /** End of the session, in milliseconds since 1970. */
  readonly expiresAt: number
  /** True if the session was opened, or confirmed later, with a second factor. */
  readonly hasSecondFactor: boolean
}

interface Bot extends Account {
  readonly kind: 'bot'
  /** The person who owns the application. Absent if the server acts on behalf of an account. */
  readonly ownerId?: string | undefined
}

/** Returns the key of the limits on costly work: a person's id, or for a bot one key for all bots of its owner. */
export function budgetOf(caller: Caller): string {
  return caller.kind === 'bot' && caller.ownerId !== undefined ? `bots:${caller.ownerId}` : caller.user.id
}

/** The reason and purpose of a change, from its request. */
export interface AuditContext {
  readonly reason?: string
  /** The entry that the request undoes. */
  readonly undoes?: AuditLogEntry
}

export interface GivenCredential {
  /** The value of the header: `Bearer <token>` or `Bot <token>`. */
  authorization: string | undefined
  sessionToken: string | undefined
}

/** Milliseconds the session tokens of the previous refresh remain valid, for requests already on their way. */
const ROTATION_GRACE_MS = 60_000
const TOUCH_INTERVAL_MS = 60_000
const CACHED_ACCOUNTS = 50_000
const CACHED_TOKENS = 100_000
const ACCOUNT_BATCHES = { maxKeys: 100, atOnce: 2, pauseMs: 5 }
const USE_BATCHES = { maxKeys: 500, atOnce: 1, pauseMs: 50 }

interface SessionRow {
  id: string
  generation: number
  rotated_at: string
  expires_at: string
  has_second_factor: boolean
}

interface KnownAccount {
  user: CurrentUser
  sessions: SessionRow[]
  botTokenHash: Buffer | null
  botOwnerId: string | null
}

/**
 * Finds the caller of a credential. Signatures are checked once per token. Accounts and their sessions are cached until
 * an event reports a change of them.
 */
export class Credentials {
  readonly #signer: TokenSigner
  readonly #accounts: Cache<KnownAccount | undefined>
  readonly #claims = growingLru<TokenClaims>(CACHED_TOKENS)
  readonly #uses: Batched<SessionUse, void>
  readonly #touched = growingLru<{ generation: number; at: number }>(CACHED_ACCOUNTS)

  constructor(deps: { database: Database; signer: TokenSigner; bus: Bus }) {
    this.#signer = deps.signer
    const accounts = new Batched<string, KnownAccount | undefined>(ACCOUNT_BATCHES, (userIds) =>
      loadAccounts(deps.database, userIds),
    )
    this.#accounts = new Cache(CACHED_ACCOUNTS, deps.bus.freshness, (userId) => accounts.ask(userId))
    this.#uses = new Batched<SessionUse, void>(USE_BATCHES, (uses) => noteUses(deps.database, uses))
  }

  receive(events: readonly Event[]): void {
    for (const event of events) this.#forget(event)
  }

  /** Returns the caller; undefined if the credential is missing, wrong, expired or revoked. */
  async authenticate(given: GivenCredential, address: string): Promise<Caller | undefined> {
    const [scheme = '', token = ''] = (given.authorization ?? '').split(' ')
    // Schemes ignore case (RFC 9110, section 11.1).
    if (scheme.toLowerCase() === 'bot') return this.#authenticateBot(token)
    if (scheme.toLowerCase() !== 'bearer' || given.sessionToken === undefined) return undefined
    const access = this.#verified(token, 'access')
    const session = this.#verified(given.sessionToken, 'session')
    if (access === undefined || access.sessionId !== session?.sessionId) return undefined
    return this.#authenticateSession(session, address)
  }

  async #authenticateSession(claims: TokenClaims, address: string): Promise<Caller | undefined> {
    const account = await this.#accounts.get(claims.userId)
    const session = account?.sessions.find((session) => session.id === claims.sessionId)
    const now = Date.now()
    if (account === undefined || session === undefined) return undefined
    const expiresAt = Date.parse(session.expires_at)
    if (expiresAt <= now) return undefined
    if (!isCurrent(claims.generation, session, now)) return undefined
    if (claims.generation === session.generation) this.#touch(session, address, now)
    const { id: sessionId, has_second_factor: hasSecondFactor } = session
    return { kind: 'human', user: account.user, sessionId, expiresAt, hasSecondFactor }
  }

  async #authenticateBot(token: string): Promise<Caller | undefined> {
    const userId = token.slice(0, token.indexOf('.'))
    if (!isBotToken(token)) return undefined
    const account = await this.#accounts.get(userId)
    const hash = account?.botTokenHash
    if (account === undefined || !hash || !timingSafeEqual(hash, hashToken(token))) return undefined
    return { kind: 'bot', user: account.user, ownerId: account.botOwnerId ?? undefined }
  }

  #verified(token: string, kind: TokenClaims['kind']): TokenClaims | undefined {
    const known = this.#claims.get(token)
    const claims = known ?? this.#signer.verify(token, kind, Date.now())
    if (claims === undefined || claims.kind !== kind || claims.expiresAt <= Date.now()) return undefined
    if (known === undefined) this.#claims.set(token, claims)
    return claims
  }

  /**
   * Records the use of a session's current tokens: the first use, then at most one a minute. The request does not wait
   * for the record.
   */
  #touch({ id, generation }: SessionRow, address: string, now: number): void {
    const last = this.#touched.get(id)
    if (last?.generation === generation && now - last.at < TOUCH_INTERVAL_MS) return
    this.#touched.set(id, { generation, at: now })
    this.#uses.ask({ id, generation, address: plainAddress(address) }).catch(() => this.#touched.delete(id))
  }

  /**
   * Drops a cached account. Events of its own topic announce sessions and tokens; a USER_UPDATE of the user announces other
   * changes. A friend's USER_UPDATE is ignored: otherwise one change by a user with a thousand friends would reload a
   * thousand accounts.
   */
  #forget({ topic: { kind, tenantId }, name, data }: Event): void {
    const isOwnChange = kind === 'user' && name === 'USER_UPDATE' && data.includes(tenantId)
    if (kind === 'account' || isOwnChange) this.#accounts.drop(tenantId)
  }
}

function isCurrent(generation: number, session: SessionRow, now: number): boolean {
  if (generation === session.generation) return true
  return generation === session.generation - 1 && now - Date.parse(session.rotated_at) < ROTATION_GRACE_MS
}

interface SessionUse {
  id: string
  generation: number
  address: string
}

/**
 * Stores the uses of sessions. Locks in a fixed order, so that two statements on the same sessions cannot deadlock. A use
 * of tokens that were just refreshed proves nothing about the new ones (`findUnusedRotation`).
 */
async function noteUses(database: Database, uses: readonly SessionUse[]): Promise<() => void> {
  await database.execute(sql`
    with used as (
      select sessions.id, used.address
      from unnest(
        ${uses.map(({ id }) => id)}::uuid[],
        ${uses.map(({ generation }) => generation)}::integer[],
        ${uses.map(({ address }) => address)}::text[]) as used (id, generation, address)
      join sessions using (id, generation)
      order by sessions.id for no key update of sessions
    )
    update sessions set last_used_at = now(), address = used.address from used where used.id = sessions.id`)
  return () => undefined
}

interface AccountRow extends CurrentUser {
  sessions: SessionRow[]
  bot_token_hash: Buffer | null
  bot_owner_id: string | null
}

async function loadAccounts(
  database: Database,
  userIds: readonly string[],
): Promise<(userId: string) => KnownAccount | undefined> {
  const rows = await database.query<AccountRow>(sql`
    select id, username, alias, avatar, banner, custom, flags, badges, is_bot, email_verified, birthdate, phone,
      custom_until, ${webPresenceColumn}, created_at, updated_at, deleted_at,
      (select token_hash from bot_tokens where user_id = users.id) as bot_token_hash,
      (select owner_id from applications where id = users.id) as bot_owner_id,
      coalesce((
        select json_agg(json_build_object('id', id, 'generation', generation, 'rotated_at', rotated_at,
          'expires_at', expires_at, 'has_second_factor', has_second_factor))
        from sessions where user_id = users.id and expires_at > now()), '[]') as sessions
    from users where id = any(${userIds}) and deleted_at is null and ${isUnlocked}`)
  const accounts = new Map(rows.map((row) => [row.id, accountOf(row)]))
  return (userId) => accounts.get(userId)
}

function accountOf(row: AccountRow): KnownAccount {
  const { sessions, bot_token_hash: botTokenHash, bot_owner_id: botOwnerId, ...user } = row
  return { user, sessions, botTokenHash, botOwnerId }
}

/** Returns whether a token belongs to a bot: `<user id>.<random>`. A person's token begins with its kind. */
export function isBotToken(token: string): boolean {
  return UUID.test(token.slice(0, token.indexOf('.')))
}
