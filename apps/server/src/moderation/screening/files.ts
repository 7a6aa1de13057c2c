import { createHash } from 'node:crypto'
import type { AutomodTrigger } from '@foyer/protocol/automod'
import { findBucket } from '#src/files/objects/queries.ts'
import { type FileRow, keyOf } from '#src/files/objects/rows.ts'
import { asStoreAnswer } from '#src/files/objects/store-answers.ts'
import type { Stores } from '#src/files/objects/stores.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'

/** Maximum size of files whose content is compared. Reading larger ones would make their sender wait too long. */
const MAX_COMPARED_BYTES = 64 * 1024 * 1024

interface Deps {
  database: Queryable
  stores: Stores
}

/**
 * Returns whether the rule catches one of the stored files, by its type or its content.
 * @throws ApiError 503 if the storage does not answer
 */
export async function isRefusedFile(
  deps: Deps,
  { content_types: types = [], sha256 = [] }: AutomodTrigger,
  files: readonly FileRow[],
): Promise<boolean> {
  if (isOfAnyType(files, types)) return true
  const refused = new Set(sha256.map((digest) => digest.toLowerCase()))
  if (refused.size === 0) return false
  for (const file of files) if (refused.has(await digestOnce(deps, file))) return true
  return false
}

export function isOfAnyType(
  files: readonly Pick<FileRow, 'content_type'>[],
  types: readonly string[],
): boolean {
  return files.some(({ content_type }) => types.some((type) => isOfType(content_type, type)))
}

/** @param type such as image/png, or image/* for all images */
function isOfType(contentType: string, type: string): boolean {
  const wanted = type.toLowerCase()
  const bare = contentType.split(';', 1).join('').trim().toLowerCase()
  return wanted.endsWith('/*') ? bare.startsWith(wanted.slice(0, -1)) : bare === wanted
}

/** Digests of files being checked, so that several rules read each file only once. */
const digests = new WeakMap<FileRow, Promise<string>>()

function digestOnce(deps: Deps, file: FileRow): Promise<string> {
  const known = digests.get(file)
  if (known !== undefined) return known
  const digest = digestOf(deps, file)
  digests.set(file, digest)
  return digest
}

/** Returns the SHA-256 of the downloaded file in hexadecimal; an empty text for a file that is too large to compare. */
async function digestOf({ database, stores }: Deps, file: FileRow): Promise<string> {
  if (file.size_bytes > MAX_COMPARED_BYTES) return ''
  const bucket = await findBucket(database, file.tenant_id, file.bucket_id)
  if (bucket === undefined) return ''
  const digest = createHash('sha256')
  if (file.size_bytes > 0) {
    const whole = { start: 0, end: file.size_bytes - 1 }
    const body = await asStoreAnswer(stores.of(bucket).read(keyOf(file), whole))
    await asStoreAnswer(digestAll(digest, body))
  }
  return digest.digest('hex')
}

async function digestAll(digest: { update: (part: Buffer) => unknown }, body: AsyncIterable<Buffer>) {
  for await (const part of body) digest.update(part)
}
