// Simulates a child process whose main thread a hostile file keeps busy forever.
import { sendToServer, serveJobs } from '#src/kernel/media/child-jobs.ts'

await serveJobs(async () => {
  sendToServer({ kind: 'read', start: 0, end: 0 })
  for (;;);
})
