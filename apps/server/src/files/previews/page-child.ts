// Process that parses other hosts' pages, so that an attack on the parser cannot reach the server.
import { serveJobs } from '#src/kernel/media/child-jobs.ts'
import type { PageJob } from './page-jobs.ts'
import { readPage } from './page-reading.ts'

await serveJobs<PageJob>(async (job) => ({ kind: 'done', result: await readPage(job) }))
