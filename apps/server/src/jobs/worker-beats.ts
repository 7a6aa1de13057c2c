import type pg from 'pg'
import type { Logger } from 'pino'

const BEAT_MS = 20_000
/** Seconds without a heartbeat after which a process counts as gone. If it was only cut off, a job runs twice. */
const GONE_SECONDS = 90

/**
 * Records that this process is still working on its locked jobs, and unlocks the jobs of processes that ended: the
 * queue itself would wait for four hours.
 * @returns a function that stops the heartbeat
 */
export function keepBeating(pool: pg.Pool, workerPoolId: string, log: Pick<Logger, 'warn'>): () => void {
  const beat = () =>
    beatOnce(pool, workerPoolId).catch((error: Error) =>
      log.warn({ err: error }, 'the heartbeat of the job queue failed'),
    )
  void beat()
  const timer = setInterval(beat, BEAT_MS).unref()
  return () => clearInterval(timer)
}

async function beatOnce(pool: pg.Pool, workerPoolId: string): Promise<void> {
  for (const table of ['_private_jobs', '_private_job_queues'])
    await pool.query(`update graphile_worker.${table} set locked_at = now() where locked_by = $1`, [
      workerPoolId,
    ])
  await pool.query(
    `select graphile_worker.force_unlock_workers(array_agg(locked_by)) from (
      select locked_by from graphile_worker._private_jobs where locked_at < now() - make_interval(secs => $1)
      union select locked_by from graphile_worker._private_job_queues where locked_at < now() - make_interval(secs => $1)
    ) as gone having count(*) > 0`,
    [GONE_SECONDS],
  )
}
