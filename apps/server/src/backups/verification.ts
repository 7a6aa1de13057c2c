import { join } from 'node:path'
import { TempFolder } from '#src/kernel/temp-folder.ts'
import { launchForTrial } from './embedded-restore.ts'
import { readFileParts } from './file-parts.ts'
import { fillDatabase } from './filling.ts'
import type { Manifest } from './manifest.ts'
import type { Vault } from './table-parts.ts'
import { openClient } from './tables.ts'

export interface Verification {
  vault: Vault
  manifest: Manifest
  dataDir: string
  report: (line: string) => void
}

/**
 * Restores a backup into a database of its own that is deleted afterwards, beside the running server, and reads all files.
 * @throws BackupError for anything that differs
 */
export async function verifyBackup({ vault, manifest, dataDir, report }: Verification): Promise<void> {
  for (const file of manifest.files) {
    // Read to its end, where its checksum is compared.
    for await (const _ of readFileParts(vault, file));
  }
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
