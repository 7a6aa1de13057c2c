import assert from 'node:assert/strict'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type BucketRow, type FileRow, incomingKeyOf, keyOf } from '#src/files/objects/rows.ts'
import { sweepFiles } from '#src/files/objects/sweeper.ts'
import { fragment, sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'

/** Contents of a storage: the size of each object, by key. */
export type StoredObjects = ReadonlyMap<string, number>

/**
 * Storages to check. `own` defaults to the server's data folder. `buckets` has the storages of other buckets, by
 * bucket id.
 */
export interface Storages {
  own?: () => StoredObjects | Promise<StoredObjects>
  buckets?: Record<string, () => StoredObjects | Promise<StoredObjects>>
}

type SweptFile = FileRow & { incoming_until: string | null }

interface Facts {
  files: SweptFile[]
  buckets: BucketRow[]
  objectsOf(bucketId: string): StoredObjects
  /** All storages, each once. */
  storages: StoredObjects[]
}

/**
 * Checks that rows, objects and counted bytes agree: every stored or live file has its complete object, every object
 * has a row, and every bucket counts the bytes it holds.
 */
export async function checkFiles(server: RunningServer, storages: Storages = {}): Promise<void> {
  const facts = await readFacts(server, storages)
  assert.deepEqual([...objectProblems(facts), ...countProblems(facts)], [])
}

/**
 * Expires everything that is kept temporarily, sweeps until nothing is left to do, and checks that only live files
 * and their objects remain.
 */
export async function checkFilesAtRest(server: RunningServer, storages: Storages = {}): Promise<void> {
  await passTime(server)
  const facts = await readFacts(server, storages)
  const live = facts.files.filter(({ state }) => state === 'live')
  const keys = facts.storages.flatMap((objects) => [...objects.keys()])
  assert.deepEqual(keys.toSorted(), live.map(keyOf).toSorted())
  const shown = facts.files.every(({ state }) => state === 'live' || state === 'removed')
  assert.ok(shown, 'every file is shown, or removed')
  await checkFiles(server, storages)
}

const isKeptForAWhile = fragment`
  (state in ('reserved', 'stored', 'deleted') or state = 'removed' and message_id is null or incoming_until is not null)`
const MAX_ROUNDS = 50
const ROUND_MS = 100

/** Expires everything that is kept temporarily, and sweeps it. */
export async function passTime(server: RunningServer): Promise<void> {
  const { database } = server.deps
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    // Skips rows locked by the server's own sweep. It locks them in another order, so waiting could deadlock.
    await database.execute(sql`
      with kept as (
        select tenant_id, id from attachments
        where ${isKeptForAWhile}
        for update skip locked)
      update attachments set
        sweep_at = case when sweep_at > now() then now() else sweep_at end,
        incoming_until = case when incoming_until > now() then now() else incoming_until end,
        created_at = case when state = 'reserved' then created_at - interval '1 day' else created_at end
      from kept where attachments.tenant_id = kept.tenant_id and attachments.id = kept.id`)
    await sweepFiles(server.deps, new AbortController().signal)
    const [left] = await database.query(sql`
      select id from attachments
      where ${isKeptForAWhile}
      limit 1`)
    if (left === undefined) return
    // The server's own sweep may hold some rows at the moment.
    await delay(ROUND_MS)
  }
  assert.fail('files are left that no sweep brings to rest')
}

/** Lists the objects in the server's data folder. */
export async function listFolderObjects(server: RunningServer): Promise<StoredObjects> {
  const folder = join(server.deps.config.dataDir, 'files')
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const objects = new Map<string, number>()
  for (const name of names.filter((name) => !name.startsWith('tmp'))) {
    // The sweep may have deleted the file by now.
    const stats = await stat(join(folder, name)).catch(() => undefined)
    if (stats?.isFile()) objects.set(name, stats.size)
  }
  return objects
}

async function readFacts(server: RunningServer, { own, buckets: others = {} }: Storages): Promise<Facts> {
  const { database } = server.deps
  const files = await database.query<SweptFile>(sql`
    select tenant_id, id, bucket_id, state, message_id, size_bytes, incoming_until from attachments order by tenant_id, id`)
  const buckets = await database.query<BucketRow>(sql`
    select tenant_id, id, kind, used_bytes from storage_buckets order by tenant_id, id`)
  const ownObjects = own === undefined ? await listFolderObjects(server) : await own()
  const otherObjects = new Map<string, StoredObjects>()
  for (const [id, list] of Object.entries(others)) otherObjects.set(id, await list())
  return {
    files,
    buckets,
    objectsOf: (bucketId) => otherObjects.get(bucketId) ?? ownObjects,
    storages: [ownObjects, ...new Set(otherObjects.values())],
  }
}

function objectProblems({ files, objectsOf, storages }: Facts): string[] {
  const whole = files.filter(({ state }) => state === 'stored' || state === 'live')
  const broken = whole.filter((file) => objectsOf(file.bucket_id).get(keyOf(file)) !== file.size_bytes)
  const known = new Set(files.flatMap(expectedKeysOf))
  const forgotten = storages.flatMap((objects) => [...objects.keys()]).filter((key) => !known.has(key))
  return [
    ...broken.map((file) => `${file.state} without its whole object: ${keyOf(file)}`),
    ...forgotten.map((key) => `an object that no row leads to: ${key}`),
  ]
}

/**
 * Returns the keys that may hold an object of the file. A removed object may reappear when a storage completes a late
 * upload, so its row is kept until then.
 */
function expectedKeysOf(file: SweptFile): string[] {
  const own = file.state === 'removed' && file.message_id !== null ? [] : [keyOf(file)]
  return file.incoming_until === null ? own : [...own, incomingKeyOf(file)]
}

function countProblems({ files, buckets }: Facts): string[] {
  return buckets.flatMap(({ tenant_id, id, used_bytes }) => {
    const counted = files.filter(
      (file) =>
        file.tenant_id === tenant_id &&
        file.bucket_id === id &&
        ['reserved', 'stored', 'live'].includes(file.state),
    )
    const sum = counted.reduce((total, file) => total + file.size_bytes, 0)
    return used_bytes === sum ? [] : [`the bucket ${id} counts ${used_bytes} bytes and holds ${sum}`]
  })
}
