import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Account } from './account.ts'

const run = promisify(execFile)

/**
 * Returns the prefix of a command, such as initdb, whose account must have a name: empty if the account has one, and
 * otherwise a user namespace that maps the account to an id with a name. Files still belong to the account. Undefined
 * if the system allows no such namespace.
 */
export async function lendName(account: Account): Promise<string[] | undefined> {
  const uid = account.uid ?? process.getuid?.()
  const named = process.platform === 'linux' ? await listNamed() : undefined
  if (named === undefined || uid === undefined || named.includes(uid)) return []
  const lent = named.find((candidate) => candidate !== 0)
  if (lent === undefined) return undefined
  const command = ['unshare', '--user', `--map-user=${lent}`]
  const [file = '', ...args] = command
  return run(file, [...args, 'true'], { ...account, cwd: '/' }).then(
    () => command,
    () => undefined,
  )
}

/** Returns an error for the operator, if initdb's output says that the account has no name. */
export function explainNameless(lines: string): Error | undefined {
  const [, uid] = /could not look up effective user ID (\d+)/.exec(lines) ?? []
  if (uid === undefined) return undefined
  return new Error(
    `user ${uid} has no line in /etc/passwd, which PostgreSQL needs to create its files: add one ` +
      `(foyer:x:${uid}:${uid}::/:/bin/false), start Foyer as root the first time, or set DATABASE_URL`,
  )
}

/** Lists the user ids in /etc/passwd, without network directories (LDAP): an unnecessary lent name does no harm. */
async function listNamed(): Promise<number[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [, , uid] = line.split(':')
    return uid === undefined ? [] : [Number(uid)]
  })
}
