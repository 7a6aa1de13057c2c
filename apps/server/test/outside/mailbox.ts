import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '#src/kernel/sql/sql.ts'
import type { TestServer } from '../server.ts'

const PATIENCE_MS = 10_000

/** Returns the mails sent to the address so far, oldest first. */
export async function listMails(server: Pick<TestServer, 'dataDir'>, address: string): Promise<string[]> {
  const folder = join(server.dataDir, 'mailbox')
  const names = await readdir(folder).catch(() => [])
  const mails = await Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map((name) => readFile(join(folder, name), 'utf8')),
  )
  return mails.filter((mail) => mail.includes(`To: ${address}`))
}

/** Waits until `count` mails with the subject have arrived at the address, and returns the last of them. */
export async function awaitMail(
  server: Pick<TestServer, 'dataDir'>,
  address: string,
  { subject, count = 1 }: { subject: string; count?: number },
): Promise<string> {
  const deadline = Date.now() + PATIENCE_MS
  while (Date.now() < deadline) {
    const mails = (await listMails(server, address)).filter((mail) => mail.includes(`Subject: ${subject}`))
    const last = mails[count - 1]
    if (last !== undefined) return last
    await delay(20)
  }
  throw new Error(`no mail "${subject}" came to ${address}`)
}

/** Returns the token in the link of a mail. */
export function tokenIn(mail: string): string {
  const token = /\?token=(\S+)/.exec(mail)?.[1]
  if (token === undefined) throw new Error(`there is no link in the mail: ${mail}`)
  return token
}

/** Waits until all queued jobs have run. */
export async function awaitJobs(server: TestServer): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (Date.now() < deadline) {
    if ((await countJobs(server)) === 0) return
    await delay(20)
  }
  throw new Error('jobs are left in the queue')
}

/** Counts the jobs that have not finished. Graphile Worker deletes a job after it has run. */
async function countJobs(server: TestServer): Promise<number> {
  const [row] = await server.deps.database.execute<{ count: number }>(
    sql`select count(*)::integer as count from graphile_worker.jobs`,
  )
  return row?.count ?? 0
}
