import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { newId } from '#src/kernel/ids.ts'
import { DamagedBackup } from './backup-error.ts'
import type { TableEntry } from './manifest.ts'
import { partName, type Repository } from './repository.ts'
import { RowSums } from './row-sums.ts'
import { seal, sealedSize, unsealAll } from './sealed-frames.ts'
import { copyTarget, type Table } from './tables.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Bytes of a table's text per part. A part is held in memory, both plain and compressed. */
const PART_BYTES = 16 * 1024 * 1024

/** A repository and its key. */
export interface Vault {
  repository: Repository
  key: Buffer
}

/** Copies a table into parts. */
export async function storeTable(vault: Vault, client: pg.Client, table: Table): Promise<TableEntry> {
  const sums = new RowSums()
  const parts: string[] = []
  for await (const text of textsOf(readTable(client, table), sums)) parts.push(await storeText(vault, text))
  return { ...table, rows: sums.rows, checksum: sums.checksum, parts }
}

/** Returns the row count and the checksum of a table. */
export async function sumTable(client: pg.Client, table: Table): Promise<{ rows: number; checksum: string }> {
  const sums = new RowSums()
  for await (const piece of readTable(client, table)) sums.add(piece)
  return { rows: sums.rows, checksum: sums.checksum }
}

/** Fills an empty table from its parts. */
export async function fillTable(vault: Vault, client: pg.Client, entry: TableEntry): Promise<void> {
  if (entry.parts.length === 0) return
  const copying = client.query(from(`copy ${copyTarget(entry)} from stdin`))
  await pipeline(Readable.from(readTexts(vault, entry.parts), { objectMode: false }), copying)
}

/**
 * Reads a part of a file or a table.
 * @throws DamagedBackup if the part is missing
 */
export async function readPart({ repository }: Vault, id: string): Promise<AsyncIterable<Buffer>> {
  const stored = await repository.read(partName(id))
  if (stored === undefined) throw new DamagedBackup(`the backup is damaged: ${partName(id)} is missing`)
  return stored
}

/** Returns the name that the encryption of a part is bound to. */
export function sealName(id: string): string {
  return `part ${id}`
}

function readTable(client: pg.Client, table: Table): AsyncIterable<Buffer> {
  return client.query(to(`copy ${copyTarget(table)} to stdout`))
}

/** Collects pieces until they fill a part. */
async function* textsOf(pieces: AsyncIterable<Buffer>, sums: RowSums): AsyncGenerator<Buffer> {
  let kept: Buffer[] = []
  let length = 0
  for await (const piece of pieces) {
    sums.add(piece)
    kept.push(piece)
    length += piece.length
    if (length < PART_BYTES) continue
    yield Buffer.concat(kept)
    kept = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(kept)
}

async function storeText({ repository, key }: Vault, text: Buffer): Promise<string> {
  const id = newId()
  const packed = await compress(text)
  await repository.write(partName(id), {
    sizeBytes: sealedSize(packed.length),
    open: () => seal(key, sealName(id), [packed]),
  })
  return id
}

async function* readTexts(vault: Vault, parts: readonly string[]): AsyncGenerator<Buffer> {
  for (const id of parts)
    yield decompress(await unsealAll(vault.key, sealName(id), await readPart(vault, id)))
}
