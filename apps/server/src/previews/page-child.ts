// A process of its own, which reads strangers' pages: whatever they do to it, the server goes on.
import { serveJobs } from '#src/kernel/media/child-jobs.ts'
import type { PageJob } from './page-jobs.ts'
import { readPage } from './page-reading.ts'

await serveJobs<PageJob>(async (job) => ({ kind: 'done', result: await readPage(job) }))
