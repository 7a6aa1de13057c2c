import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { S3Settings } from '#src/config.ts'
import { findBucket } from '#src/files/objects/queries.ts'
import type { FileState, Purpose } from '#src/files/objects/rows.ts'
import { keyOf } from '#src/files/objects/rows.ts'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'

/** A file to write directly, in any state: its row, its object, and the bytes counted for it. */
export interface NewStoredFile {
  tenantId: string
  /** Defaults to the tenant's own storage. */
  bucketId?: string
  ownerId?: string
  purpose?: Purpose
  state?: FileState
  /** Only for message files. */
  roomId?: string
  messageId?: string
  filename?: string
  contentType?: string
  /** Content of the object. If omitted, the row says 1000 bytes and there is no object. */
  bytes?: Buffer
}

export interface PlacedFile {
  tenant_id: string
  id: string
}

export async function placeFile(server: RunningServer, given: NewStoredFile): Promise<PlacedFile> {
  const { tenantId, bucketId = tenantId, bytes } = given
  const file = { tenant_id: tenantId, id: newId() }
  const { state = 'live', contentType = 'image/png', purpose = 'message' } = given
  const sizeBytes = bytes?.length ?? 1000
  const counted = ['reserved', 'stored', 'live'].includes(state) ? sizeBytes : 0
  await server.deps.database.execute(sql`
    with bucket as (
      insert into storage_buckets (tenant_id, id, kind, used_bytes)
      values (${tenantId}, ${bucketId}, 'own', ${counted})
      on conflict (tenant_id, id) do update set used_bytes = storage_buckets.used_bytes + ${counted}
    )
    insert into attachments (tenant_id, id, bucket_id, owner_id, purpose, state, channel_id, message_id, filename,
      content_type, size_bytes, sweep_at)
    values (${tenantId}, ${file.id}, ${bucketId}, ${given.ownerId ?? newId()}, ${purpose}, ${state},
      ${given.roomId ?? null}, ${given.messageId ?? null}, ${given.filename ?? 'picture.png'}, ${contentType},
      ${sizeBytes}, case when ${state} <> 'live' then now() + interval '1 day' end)`)
  if (bytes !== undefined) await putObject(server, file, { bucketId, bytes, contentType })
  return file
}

/** Inserts a bucket of a space without checking that it can be reached. Returns its id. */
export async function placeBucket(
  server: RunningServer,
  tenantId: string,
  settings: S3Settings,
): Promise<string> {
  const id = newId()
  await server.deps.database.execute(sql`
    insert into storage_buckets (tenant_id, id, kind, name, endpoint, region, bucket_name, access_key_id, secret,
      use_path_style)
    values (${tenantId}, ${id}, 's3', 'Bucket', ${settings.endpoint}, ${settings.region}, ${settings.bucketName},
      ${settings.accessKeyId}, ${server.deps.sealer.seal(settings.secretAccessKey, id)}, ${settings.usePathStyle})`)
  return id
}

interface NewObject {
  bucketId: string
  bytes: Buffer
  contentType: string
}

async function putObject(server: RunningServer, file: PlacedFile, object: NewObject): Promise<void> {
  const { database, stores, config } = server.deps
  const bucket = await findBucket(database, file.tenant_id, object.bucketId)
  if (bucket === undefined) throw new Error('there is no such bucket')
  const path = join(config.dataDir, `placed-${randomBytes(8).toString('hex')}`)
  await mkdir(config.dataDir, { recursive: true })
  await writeFile(path, object.bytes)
  await stores.of(bucket).put(keyOf(file), { ...object, path, sizeBytes: object.bytes.length })
  await rm(path)
}
