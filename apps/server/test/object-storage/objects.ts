import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import type { ByteRange, ObjectStore } from '#src/kernel/storage/object-store.ts'
import { TempFolder } from '#src/kernel/temp-folder.ts'

export function newKey(): string {
  return `${newId()}/${newId()}`
}

/** Creates an empty folder, and removes it after the test. */
export async function temporaryFolder(context: TestContext): Promise<string> {
  const folder = await files.create()
  context.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Stores bytes, through a temporary file. */
export async function putBytes(store: ObjectStore, key: string, bytes: Uint8Array): Promise<void> {
  const folder = await files.create()
  try {
    const path = join(folder, 'file')
    await writeFile(path, bytes)
    await store.put(key, { path, sizeBytes: bytes.length, contentType: 'application/octet-stream' })
  } finally {
    await rm(folder, { recursive: true })
  }
}

export async function readBytes(store: ObjectStore, key: string, range?: ByteRange): Promise<Buffer> {
  return buffer(await store.read(key, range))
}

const files = new TempFolder(join(tmpdir(), 'foyer-test-objects'))
