import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Examined, Media, type Wish } from '#src/kernel/media/media.ts'
import type { PoolOptions } from '#src/kernel/media/process-pool.ts'

export interface Workbench extends AsyncDisposable {
  media: Media
  folder: string
  /** What becomes of a file with these bytes. */
  examine(bytes: Buffer | string, wish?: Wish): Promise<Examined & { bytes: Buffer }>
}

export const anything = (claimedType = 'application/octet-stream'): Wish => ({ kind: 'any', claimedType })

/** The real processes, with a folder for files. */
export async function openWorkbench(options: Partial<PoolOptions> = {}): Promise<Workbench> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-media-'))
  const media = new Media(folder, options)
  let files = 0
  return {
    media,
    folder,
    async examine(bytes, wish = anything()) {
      files += 1
      const path = join(folder, String(files))
      await writeFile(path, bytes)
      const examined = await media.examine(path, wish)
      return { ...examined, bytes: await readFile(examined.path) }
    },
    async [Symbol.asyncDispose]() {
      await media.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
