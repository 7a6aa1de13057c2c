import type pg from 'pg'
import { listStarts } from '#src/kernel/database/versions.ts'
import { describeVersion, type Kept } from './records.ts'

/** Describes the version and data that a rollback returns to, and the changes since, with their versions. */
export async function describeLoss(client: pg.Client, { kind, version, madeAt }: Kept): Promise<string> {
  // Counting reads whole tables, and a person is waiting for the question.
  await client.query(`set statement_timeout = '10s'`)
  const [messages, accounts, started] = [
    await countSince(client, 'messages', madeAt),
    await countSince(client, 'users', madeAt),
    await describeStarts(client, madeAt),
  ]
  return (
    `This goes back to ${describeVersion(version)} and its data of ${madeAt.toISOString()}. ${started}` +
    `This takes away everything written since: ${messages} messages, ${accounts} accounts and all other changes. ` +
    `${kind === 'before' ? 'npm run rollback -- --undo' : 'npm run rollback'} brings them back.`
  )
}

async function countSince(client: pg.Client, table: 'messages' | 'users', since: Date): Promise<string> {
  try {
    const { rows } = await client.query<{ count: string }>(
      `select count(*)::text as count from ${table} where created_at >= $1`,
      [since],
    )
    return rows[0]?.count ?? '0'
  } catch {
    return 'an unknown number of'
  }
}

/**
 * Lists the versions that were started since a time. An update without a snapshot keeps the snapshot of an earlier
 * update, so a rollback may go back more than one version.
 */
async function describeStarts(client: pg.Client, since: Date): Promise<string> {
  const starts = await listStarts(client, since)
  if (starts.length === 0) return ''
  const list = starts.map(
    ({ startedAt, ...version }) => `${describeVersion(version)} at ${startedAt.toISOString()}`,
  )
  return `Started since: ${list.join(', ')}. `
}
