import type { Config } from '#src/config.ts'
import { BackupError } from './backup-error.ts'
import { FolderRepository } from './folder-repository.ts'
import type { Repository } from './repository.ts'
import { openKey, openOrMakeKey, readSecret } from './repository-key.ts'
import { S3Repository } from './s3-repository.ts'
import type { Vault } from './table-parts.ts'

/**
 * Opens the repository of backups, and checks the passphrase.
 * @param location folder or `s3://bucket/prefix`; BACKUP_TO by default
 * @param mayMake true to create a repository if there is none
 * @throws BackupError if there is no repository, or the passphrase or key file is missing or wrong
 */
export async function openVault(
  config: Config,
  location: string | undefined,
  mayMake: boolean,
): Promise<Vault> {
  const secret = await readSecret(config.backup)
  const repository = openRepository(config, location)
  try {
    const key = mayMake ? await openOrMakeKey(repository, secret) : await openKey(repository, secret)
    return { repository, key }
  } catch (error) {
    await repository.close()
    throw error
  }
}

/** @throws BackupError without a location. Its message omits the address, which may contain a password */
export function openRepository({ backup, s3 }: Config, location = backup.to): Repository {
  if (location === undefined || location === '')
    throw new BackupError('name a folder or a bucket: --to=<folder or s3://bucket/prefix>, or set BACKUP_TO')
  if (!location.startsWith('s3:') && !location.includes('://')) return new FolderRepository(location)
  const [, bucketName, prefix = ''] = /^s3:\/\/([\w.-]+)(?:\/(.*))?$/.exec(location) ?? []
  if (bucketName === undefined || !/^[\w./-]*$/.test(prefix))
    throw new BackupError('the place of the backups is no folder, and no address like s3://bucket/prefix')
  const settings = backup.s3 ?? s3
  if (settings === undefined)
    throw new BackupError('a backup in a bucket needs BACKUP_S3_ENDPOINT and its keys, or S3_ENDPOINT')
  return new S3Repository({ ...settings, bucketName }, prefix.replace(/^\/+/, '').replace(/(?<!\/)\/+$/, ''))
}
