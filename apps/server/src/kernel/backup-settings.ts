import { Type } from 'typebox'
import { Count, NeededText, OptionalText, Switch, Text } from './setting-kinds.ts'

const MIN_PASSPHRASE_CHARACTERS = 12

/** Settings of backups, by their names in `Config`. */
export const BackupSettings = Type.Object({
  to: OptionalText(
    'BACKUP_TO',
    'Folder or bucket, like s3://bucket/prefix, for backups: the server makes them by itself; without it, only `npm run backup -- --to=…` does',
  ),
  passphrase: OptionalText(
    'BACKUP_PASSPHRASE',
    `At least ${MIN_PASSPHRASE_CHARACTERS} characters that encrypt the backups; keep it where the backups are not`,
    {
      accepts: (passphrase) => passphrase.length >= MIN_PASSPHRASE_CHARACTERS,
      otherwise: `must have at least ${MIN_PASSPHRASE_CHARACTERS} characters`,
    },
  ),
  keyFile: OptionalText(
    'BACKUP_KEY_FILE',
    'File of at least 32 random bytes that encrypts the backups, instead of BACKUP_PASSPHRASE',
  ),
  everyHours: Count('BACKUP_EVERY', 24, 'Hours from one backup to the next', { minimum: 1, maximum: 8760 }),
  keep: Count('BACKUP_KEEP', 7, 'Backups to keep; older ones are deleted', { minimum: 1, maximum: 9999 }),
  s3: Type.Decode(
    Type.Object({
      endpoint: NeededText(
        'BACKUP_S3_ENDPOINT',
        'S3-compatible object storage for backups; without it, that of S3_ENDPOINT with its keys',
      ),
      region: Text('BACKUP_S3_REGION', 'us-east-1', 'Its region'),
      accessKeyId: NeededText('BACKUP_S3_ACCESS_KEY_ID', 'Its access key'),
      secretAccessKey: NeededText('BACKUP_S3_SECRET_ACCESS_KEY', 'Its secret key'),
      usePathStyle: Switch(
        'BACKUP_S3_USE_PATH_STYLE',
        ['true', 'false'],
        '`true` names the bucket in the path, `false` in the host name',
      ),
    }),
    (s3) => (s3.endpoint === '' ? undefined : s3),
  ),
})
