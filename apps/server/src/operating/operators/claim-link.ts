import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import type { Logger } from 'pino'
import type { Config } from '#src/config.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { newToken } from '#src/kernel/ids.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { makeFolderDurably, renameDurably, writeDurably } from '#src/kernel/storage/durable-files.ts'
import { insertClaim, isClaim, spendClaims } from './claims.ts'
import { hasOperators, lockOperators } from './queries.ts'

type Reach = Pick<Config, 'host' | 'publicUrl' | 'trustedProxies'>

/**
 * Returns true if no other person can reach the server, so that the first account becomes its operator. With trusted proxies
 * it returns false: a proxy may let others in.
 */
export function firstBecomesOperator({ host, publicUrl, trustedProxies }: Reach): boolean {
  if (trustedProxies.length > 0) return false
  return isLoopback(host) && (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname))
}

interface ClaimDeps {
  database: Database
  config: Reach & Pick<Config, 'dataDir'>
}

/**
 * Returns the link that makes its user the first operator, and writes it to a file of DATA_DIR if possible; undefined
 * if there is an operator, or the first account becomes one. Later starts return the same link until it is used.
 * @param url address that the server listens on
 */
export async function keepClaimLink(
  { database, config }: ClaimDeps,
  url: string,
): Promise<string | undefined> {
  const { dataDir, publicUrl } = config
  const kept = await readToken(dataDir)
  const token = await database.transaction(async (transaction) => {
    // Locked, because a new operator ends the link.
    await lockOperators(transaction)
    return keepToken(transaction, config, kept)
  })
  if (token === undefined) {
    await forgetClaimLink(dataDir)
    return undefined
  }
  // Browsers do not send the fragment, so the token is in no log of a proxy.
  const link = `${publicUrl ?? url}/claim#${token}`
  // Failures are ignored, because the link is also printed and logged.
  await writeLink(dataDir, link).catch(() => undefined)
  return link
}

/** Returns the token of the link. If no link is needed, returns undefined and deletes the token. */
async function keepToken(
  transaction: Queryable,
  config: Reach,
  kept: string | undefined,
): Promise<string | undefined> {
  const firstIsIt = firstBecomesOperator(config) && !(await hasAccounts(transaction))
  if (firstIsIt || (await hasOperators(transaction))) {
    await spendClaims(transaction)
    return undefined
  }
  const token = kept !== undefined && (await isClaim(transaction, kept)) ? kept : newToken()
  await insertClaim(transaction, token)
  return token
}

interface RenewalDeps extends ClaimDeps {
  log: Pick<Logger, 'warn'>
}

/** Creates and logs a link for a new operator if the last one has left. */
export async function renewClaimLink(deps: RenewalDeps, url: string): Promise<void> {
  if (await hasOperators(deps.database)) return
  const link = await keepClaimLink(deps, url)
  if (link !== undefined) deps.log.warn(claimTextOf(link))
}

/** Returns the line about the link for the terminal and the log. */
export function claimTextOf(link: string): string {
  return `nobody runs this server: open ${link} to become its operator, or run npm run operator -- grant <username>`
}

/** Deletes the file with the link. */
export async function forgetClaimLink(dataDir: string): Promise<void> {
  await rm(linkPath(dataDir), { force: true })
}

function linkPath(dataDir: string): string {
  return join(resolve(dataDir), 'operator-link')
}

async function readToken(dataDir: string): Promise<string | undefined> {
  const text = await readFile(linkPath(dataDir), 'utf8').catch(() => '')
  return /\/claim#([\w-]+)/.exec(text)?.[1]
}

/** Writes the link to a file that only its owner can read, whole or not at all. */
async function writeLink(dataDir: string, link: string): Promise<void> {
  const path = linkPath(dataDir)
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  await makeFolderDurably(resolve(dataDir), 0o755)
  await writeDurably(draft, `${link}\n`)
  await renameDurably(draft, path)
}

async function hasAccounts(database: Queryable): Promise<boolean> {
  const found = await database.query(sql`select from users limit 1`)
  return found.length > 0
}

/** @param host hostname or IP address; IPv6 may have brackets, as in a URL */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (!ipaddr.isValid(address)) return address === 'localhost' || address.endsWith('.localhost')
  return ipaddr.process(address).range() === 'loopback'
}
