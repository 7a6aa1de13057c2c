import type pg from 'pg'
import { type BucketRow, keyOf } from '#src/files/objects/rows.ts'
import type { Stores } from '#src/files/objects/stores.ts'
import type { SourceFile } from './file-parts.ts'

type Row = { tenant_id: string; id: string; size_bytes: string; bucket_id: string }
type Bucket = Pick<
  BucketRow,
  | 'tenant_id'
  | 'id'
  | 'kind'
  | 'endpoint'
  | 'region'
  | 'bucket_name'
  | 'access_key_id'
  | 'secret'
  | 'use_path_style'
>

/** Lists the complete files of the snapshot, ordered by key. Files in spaces' own buckets are optional. */
export async function listSourceFiles(
  client: pg.Client,
  stores: Stores,
  withSpaceBuckets: boolean,
): Promise<SourceFile[]> {
  const buckets = new Map((await listBuckets(client)).map((bucket) => [bucket.id, bucket]))
  const { rows } = await client.query<Row>(
    `select tenant_id, id, size_bytes, bucket_id from attachments where state in ('stored', 'live')
    order by tenant_id, id`,
  )
  return rows.flatMap((row) => {
    const bucket = buckets.get(row.bucket_id)
    const file = { key: keyOf(row), sizeBytes: Number(row.size_bytes) }
    if (bucket?.kind !== 's3') return [{ ...file, store: stores.own }]
    return withSpaceBuckets ? [{ ...file, bucket: bucket.id, store: storeOf(stores, bucket) }] : []
  })
}

/** Returns whether a file is still needed now. It may have been deleted since the snapshot. */
export async function isStillNeeded(client: pg.Client, key: string): Promise<boolean> {
  const [tenantId, id] = key.split('/')
  const { rowCount } = await client.query(
    `select from attachments where tenant_id = $1 and id = $2 and state in ('stored', 'live')`,
    [tenantId, id],
  )
  return rowCount === 1
}

/** Returns the stores of spaces' own buckets by id. */
export async function storesOfBuckets(client: pg.Client, stores: Stores) {
  const buckets = (await listBuckets(client)).filter(({ kind }) => kind === 's3')
  return new Map(buckets.map((bucket) => [bucket.id, storeOf(stores, bucket)]))
}

async function listBuckets(client: pg.Client): Promise<Bucket[]> {
  const { rows } = await client.query<Bucket>(
    `select tenant_id, id, kind, endpoint, region, bucket_name, access_key_id, secret, use_path_style
    from storage_buckets`,
  )
  return rows
}

function storeOf(stores: Stores, bucket: Bucket) {
  return stores.open(stores.settingsOf(bucket))
}
