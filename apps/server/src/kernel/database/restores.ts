import type pg from 'pg'

/**
 * Records the first start after a restore.
 * @returns the time of the latest such start, in milliseconds since 1970; 0 without a restore. Events before it are lost, so
 * clients cannot resume from there
 */
export async function noteStart(pool: pg.Pool): Promise<number> {
  await pool.query('update restores set started_at = now() where started_at is null')
  const { rows } = await pool.query<{ ms: string | null }>(
    'select (extract(epoch from max(started_at)) * 1000)::bigint::text as ms from restores',
  )
  return Number(rows[0]?.ms ?? 0)
}
