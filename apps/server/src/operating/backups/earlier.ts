import { wordsOf } from '#src/kernel/error-words.ts'
import { storedParts } from './file-parts.ts'
import { type FileEntry, isAhead, listSnapshots, type Manifest, partsOf, readManifest } from './manifest.ts'
import { idInName, type Stored } from './repository.ts'
import type { Vault } from './table-parts.ts'

/** Earlier backups of a repository. */
export interface Earlier {
  /** Files whose parts are all stored with the expected size, by key. */
  held: ReadonlyMap<string, FileEntry>
  /** All parts of the repository. */
  stored: readonly Stored[]
  /** Ids of the parts that readable manifests name. */
  named: ReadonlySet<string>
  /** True if every manifest is readable, so that a part in none of them is an orphan. */
  areAllKnown: boolean
  /** Manifest of the newest backup that is readable and not dated in the future. */
  newest: Manifest | undefined
}

/**
 * Reads the manifests of earlier backups one by one, because they may not fit into memory together. A damaged manifest
 * is reported and skipped: files that only it names are copied again.
 */
export async function readEarlier(vault: Vault, report: (line: string) => void): Promise<Earlier> {
  const { repository, key } = vault
  const stored = await repository.list('parts')
  const sizes = new Map(stored.map(({ name, sizeBytes }) => [idInName(name), sizeBytes]))
  const isHeld = (file: FileEntry) =>
    storedParts(file).every(({ id, sizeBytes }) => sizes.get(id) === sizeBytes)
  const [held, named] = [new Map<string, FileEntry>(), new Set<string>()]
  const earlier: Earlier = { stored, held, named, areAllKnown: true, newest: undefined }
  for (const name of await listSnapshots(repository)) {
    const manifest = await readManifest(repository, key, name).catch((error: unknown) => {
      report(`warning: ${wordsOf(error)}`)
    })
    if (manifest === undefined) earlier.areAllKnown = false
    else add({ held, named }, manifest, isHeld)
    if (manifest !== undefined && !isAhead(name)) earlier.newest = manifest
  }
  return earlier
}

function add(
  { held, named }: { held: Map<string, FileEntry>; named: Set<string> },
  manifest: Manifest,
  isHeld: (file: FileEntry) => boolean,
): void {
  for (const id of partsOf(manifest)) named.add(id)
  for (const file of manifest.files) if (isHeld(file)) held.set(file.key, file)
}
