import { randomBytes } from 'node:crypto'
import { link, readFile, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { makeFolderDurably, syncFolder, writeDurably } from '../storage/durable-files.ts'

/** Minimum characters of a key; config.ts requires the same of SECRET_KEY. */
export const MIN_SECRET_KEY_CHARACTERS = 32

/**
 * Returns the key from the data folder. The first start creates it, readable by its owner only. It is flushed to the
 * disk before it signs anything, so a power cut cannot lose it.
 * @throws Error for a key that is too short: anyone could sign with an empty one, and replacing it would invalidate
 * everything it protects
 */
export async function keptSecretKey(dataDir: string): Promise<string> {
  const path = join(resolve(dataDir), 'secret.key')
  const key = (await readKept(path)) ?? (await makeSecretKey(path))
  if (key.length < MIN_SECRET_KEY_CHARACTERS) throw new Error(explainShortKey(path, key.length))
  // Another process may have just created the key, and not yet synced its folder.
  await syncFolder(dirname(path))
  return key
}

async function readKept(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes a draft and links it into place: readers never see a partial key, and the first of two writers wins. */
async function makeSecretKey(path: string): Promise<string> {
  await makeFolderDurably(dirname(path), 0o755)
  // Random, because processes of several containers may have the same process id.
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  try {
    await writeDurably(draft, `${randomBytes(32).toString('base64url')}\n`)
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await unlink(draft).catch(() => undefined)
  }
  return (await readFile(path, 'utf8')).trim()
}

function explainShortKey(path: string, characters: number): string {
  return (
    `${path} is damaged: it holds ${characters} characters, and a key has at least ${MIN_SECRET_KEY_CHARACTERS}. ` +
    'Restore this file from a backup of DATA_DIR. Without a backup, delete the file, and the next start makes a new key: then ' +
    'everyone has to log in again, links in mails and links to files that were handed out stop working, browsers subscribe to ' +
    "pushes again, and the secret keys of spaces' storage buckets have to be entered again."
  )
}
