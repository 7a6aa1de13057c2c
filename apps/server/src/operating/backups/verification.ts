import { join } from 'node:path'
import { wordsOf } from '#src/kernel/error-words.ts'
import { TempFolder } from '#src/kernel/temp-folder.ts'
import { DamagedBackup } from './backup-error.ts'
import { launchForTrial } from './embedded-restore.ts'
import { readFileParts } from './file-parts.ts'
import { fillDatabase } from './filling.ts'
import type { FileEntry, Manifest } from './manifest.ts'
import { partName } from './repository.ts'
import { unseal } from './sealed-frames.ts'
import { readPart, sealName, type Vault } from './table-parts.ts'
import { openClient } from './tables.ts'

export interface Verification {
  vault: Vault
  manifest: Manifest
  dataDir: string
  report: (line: string) => void
}

/**
 * Restores a backup into a temporary database beside the running server, and reads all files. Damaged parts of files
 * are deleted, so that the next backup copies these files again.
 * @throws BackupError for any difference
 */
export async function verifyBackup(verification: Verification): Promise<void> {
  const { vault, manifest, dataDir, report } = verification
  await verifyFiles(verification)
  report(`files: ${manifest.files.length} are whole`)
  await using stack = new AsyncDisposableStack()
  const temp = new TempFolder(join(dataDir, 'tmp'))
  stack.defer(() => temp.close())
  const postgres = await launchForTrial(await temp.create())
  stack.defer(() => postgres.stop())
  const { client, close } = await openClient(postgres.connection, 'verification')
  stack.defer(close)
  await fillDatabase({ vault, manifest, connection: postgres.connection, client, report })
  report(`database: ${manifest.tables.length} tables are equal`)
}

/** @throws DamagedBackup for the first damaged file, after all files were read */
async function verifyFiles({ vault, manifest, report }: Verification): Promise<void> {
  let first: DamagedBackup | undefined
  for (const file of manifest.files) {
    const damage = await damageOf(vault, file)
    if (damage === undefined) continue
    first ??= damage
    report(`warning: the file ${file.key} is damaged; the next backup copies it again`)
    await deleteDamaged(vault, file).catch((cause: unknown) =>
      report(`warning: a damaged part cannot be deleted: ${wordsOf(cause)}`),
    )
  }
  if (first !== undefined) throw first
}

async function damageOf(vault: Vault, file: FileEntry): Promise<DamagedBackup | undefined> {
  try {
    // Reads the file to its end, where its checksum is compared.
    for await (const _ of readFileParts(vault, file));
    return undefined
  } catch (error) {
    if (error instanceof DamagedBackup) return error
    throw error
  }
}

/** Deletes the damaged parts of a file. Reads each again first, because a memory or network error may have been temporary. */
async function deleteDamaged(vault: Vault, { parts }: FileEntry): Promise<void> {
  for (const id of parts) if (!(await isWhole(vault, id))) await vault.repository.delete(partName(id))
}

async function isWhole(vault: Vault, id: string): Promise<boolean> {
  try {
    for await (const _ of unseal(vault.key, sealName(id), await readPart(vault, id)));
    return true
  } catch (error) {
    if (error instanceof DamagedBackup) return false
    throw error
  }
}
