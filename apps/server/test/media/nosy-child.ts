// What a child does that a file has taken over: it looks around, in JavaScript and in native code.
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
    // Node's permissions do not hold for native code, those of the user do.
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
