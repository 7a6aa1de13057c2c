import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExpectedFile } from '#src/kernel/media/jobs.ts'
import { type Examined, Media } from '#src/kernel/media/media.ts'
import type { PoolOptions } from '#src/kernel/media/process-pool.ts'

export interface Workbench extends AsyncDisposable {
  media: Media
  folder: string
  /** Examines a file with these bytes. Returns the result and the bytes of the resulting file. */
  examine(bytes: Buffer | string, expected?: ExpectedFile): Promise<Examined & { bytes: Buffer }>
}

export const anything = (claimedType = 'application/octet-stream'): ExpectedFile => ({
  kind: 'any',
  claimedType,
})

/**
 * Starts the real media processes, with a folder for files.
 * @param parent folder in which the new folder is created; a relative path makes `folder` relative, too
 */
export async function openWorkbench(
  options: Partial<PoolOptions> = {},
  parent = tmpdir(),
): Promise<Workbench> {
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'foyer-media-'))
  const media = new Media(folder, options)
  let files = 0
  return {
    media,
    folder,
    async examine(bytes, expected = anything()) {
      files += 1
      const path = join(folder, String(files))
      await writeFile(path, bytes)
      const examined = await media.examine(path, expected)
      return { ...examined, bytes: await readFile(examined.path) }
    },
    async [Symbol.asyncDispose]() {
      await media.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
