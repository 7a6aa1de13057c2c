import { listSnapshots, partsOf, readManifest } from './manifest.ts'
import { idInName, type Stored } from './repository.ts'
import type { Vault } from './table-parts.ts'

/**
 * Deletes all but the newest backups, and then the parts that no manifest names. Manifests are deleted before their
 * parts, so that a killed run leaves no backup without its parts; the next backup deletes the remaining parts. The
 * caller holds the backup lock, because a running backup has parts that no manifest names yet.
 */
export async function pruneRepository(vault: Vault, keep: number): Promise<string[]> {
  const { repository, key } = vault
  const names = await listSnapshots(repository)
  const expired = new Set(names.slice(0, Math.max(0, names.length - keep)))
  // Reads all manifests before anything is deleted: a damaged one ends the pruning, because its parts are unknown.
  const needed = new Set<string>()
  for (const name of names) {
    const parts = partsOf(await readManifest(repository, key, name))
    for (const id of expired.has(name) ? [] : parts) needed.add(id)
  }
  for (const name of expired) await repository.delete(`snapshots/${name}`)
  if (expired.size > 0) await deleteUnnamed(vault, { stored: await repository.list('parts'), named: needed })
  return [...expired]
}

/** Deletes the parts that no backup names, and unfinished files. */
export async function deleteUnnamed(
  { repository }: Vault,
  { stored, named }: { stored: readonly Stored[]; named: ReadonlySet<string> },
): Promise<void> {
  for (const { name } of [...stored, ...(await repository.list('unfinished'))]) {
    const id = idInName(name)
    if (id !== undefined && !named.has(id)) await repository.delete(name)
  }
}
