import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The key kept in the data folder; made there at the first start, readable by its owner only. */
export async function keptSecretKey(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret.key')
  const kept = await readFile(path, 'utf8').catch(() => '')
  return kept.trim() === '' ? makeSecretKey(dataDir, path) : kept.trim()
}

/** Written aside and linked into place: nobody ever reads half a key, and of two makers the first wins. */
async function makeSecretKey(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o755 })
  const draft = `${path}.${process.pid}`
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return (await readFile(path, 'utf8')).trim()
}
