// Simulates a child process that a malicious file has taken over. It tries to access files, programs and the network,
// in JavaScript and in native code.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createConnection } from 'node:net'
import sharp from 'sharp'
import { serveJobs } from '#src/kernel/media/child-jobs.ts'

await serveJobs<{ secret: string; picture: string }>(async ({ secret, picture }) => ({
  kind: 'done',
  result: {
    secret: tried(() => readFileSync(secret)),
    folder: tried(() => readdirSync('.')),
    link: tried(() => symlinkSync(secret, 'link')),
    program: tried(() => spawnSync('/bin/true')),
    connection: await connected(),
    // Node's permission model does not apply to native code. The permissions of the user do.
    picture: await sharp(picture)
      .metadata()
      .then(({ width }) => String(width))
      .catch(() => 'refused'),
  },
}))

function tried(deed: () => unknown): string {
  try {
    deed()
    return 'done'
  } catch (error) {
    return Object(error).code
  }
}

function connected(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = createConnection(1, '127.0.0.1')
  socket.once('connect', () => resolve('done')).once('error', (error) => resolve(Object(error).code))
  return promise
}
