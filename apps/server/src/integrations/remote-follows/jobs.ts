import type { JobTable } from '#src/kernel/jobs.ts'
import type { RemoteCopier } from './remote-copier.ts'

/** The job that wakes the copier of one process. */
export const COPY_JOB = 'copy_remote_announcements'

/** Wakes the copier of a process that does jobs. */
export function remoteFollowJobs(copier: RemoteCopier): JobTable {
  return { handlers: { [COPY_JOB]: async () => copier.look() }, schedule: [] }
}
