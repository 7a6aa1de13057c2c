import { idTime } from '#src/kernel/ids.ts'
import { listSnapshots, partsOf, readManifest } from './manifest.ts'
import { idInName } from './repository.ts'
import type { Vault } from './table-parts.ts'

/** Age from which a part that no manifest names is left over: no backup takes so long. */
const LEFT_OVER_MS = 24 * 60 * 60 * 1000

/**
 * Deletes all but the newest backups, and then the parts that only they had. A manifest goes before its parts, so that a run
 * that is killed leaves no backup without its parts; the parts it leaves go a day later.
 */
export async function pruneRepository(vault: Vault, keep: number): Promise<string[]> {
  const { repository, key } = vault
  const names = await listSnapshots(repository)
  const expired = names.slice(0, Math.max(0, names.length - keep))
  // All are read before anything is deleted: a damaged one ends the pruning, because its parts are not known.
  const manifests = new Map<string, string[]>()
  for (const name of names) manifests.set(name, partsOf(await readManifest(repository, key, name)))
  for (const name of expired) await repository.delete(`snapshots/${name}`)
  const partsIn = (those: readonly string[]) => new Set(those.flatMap((name) => manifests.get(name) ?? []))
  const needed = partsIn(names.filter((name) => !expired.includes(name)))
  await deleteParts(vault, { needed, released: partsIn(expired) })
  return expired
}

interface Parts {
  needed: ReadonlySet<string>
  /** Parts of the backups that were just deleted. */
  released: ReadonlySet<string>
}

async function deleteParts({ repository }: Vault, { needed, released }: Parts): Promise<void> {
  const stored = [...(await repository.list('parts')), ...(await repository.list('unfinished'))]
  const oldest = Date.now() - LEFT_OVER_MS
  for (const { name } of stored) {
    const id = idInName(name)
    if (id === undefined || needed.has(id)) continue
    if (released.has(id) || idTime(id) < oldest) await repository.delete(name)
  }
}
