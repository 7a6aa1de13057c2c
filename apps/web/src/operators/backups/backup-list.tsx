import type { BackupEntry } from '@foyer/protocol/operator-backups'
import { formatSize } from '#src/attachments/transfer/size.ts'
import { counted, t } from '#src/language/texts.ts'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { Mark } from '../mark.tsx'

const kindLabels: Record<BackupEntry['kind'], string> = {
  scheduled: t('scheduled'),
  asked: t('requested by an administrator'),
  elsewhere: t('from the command line, or from before this list existed'),
}

/** The list of backups, newest first, including failed ones. */
export function BackupList({ backups }: { backups: readonly BackupEntry[] }) {
  if (backups.length === 0) return <p className="settings-note">{t('There is no backup yet.')}</p>
  return (
    <ul className="settings-list" aria-label={t('Backups')}>
      {backups.map((backup) => (
        <BackupRow key={`${backup.at} ${backup.kind}`} backup={backup} />
      ))}
    </ul>
  )
}

function BackupRow({ backup }: { backup: BackupEntry }) {
  const { at, state, kind, files, file_bytes, rows, failure } = backup
  return (
    <li className="settings-row">
      <span className="settings-names">
        <span className="operator-name">
          <time className="settings-name" dateTime={at}>
            {formatFull(at)}
          </time>
          {state === 'failed' && <Mark isStop>{t('Failed')}</Mark>}
          {state === 'running' && <Mark>{t('Running')}</Mark>}
        </span>
        <span className="settings-note operator-notes">
          <span>{formatAgo(at)}</span>
          <span>{kindLabels[kind]}</span>
          {rows !== null && <span>{counted(rows, '{count} row', '{count} rows')}</span>}
          {files !== null && file_bytes !== null && (
            <span>
              {counted(files, '{count} file of {size}', '{count} files of {size}', {
                size: formatSize(file_bytes),
              })}
            </span>
          )}
        </span>
        {failure !== null && <span className="settings-quote">{failure}</span>}
      </span>
    </li>
  )
}
