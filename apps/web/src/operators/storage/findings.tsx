import type { StorageFindings, StoredFile } from '@foyer/protocol/operator-storage'
import { formatSize } from '#src/attachments/transfer/size.ts'
import { counted, t } from '#src/language/texts.ts'
import { personName } from '#src/store/users.ts'
import { formatDate, formatFull } from '#src/ui/time/time.ts'
import { formatAmount } from '../amounts.ts'
import { DataTable } from '../data-table.tsx'
import { purposeLabels } from './purposes.ts'

interface FindingsProps {
  findings: StorageFindings
  /** True while the database from before an update is kept. */
  hasSnapshot: boolean
}

/** The results of a survey, each in a table. */
export function Findings({ findings, hasSnapshot }: FindingsProps) {
  const { total, purposes, own, buckets, spaces, files } = findings
  return (
    <>
      <AmountPart
        title={t('By kind')}
        rows={[
          ...purposes.map(({ purpose, ...amount }) => ({
            key: purpose,
            name: purposeLabels[purpose],
            ...amount,
          })),
          { key: 'all', name: t('All'), ...total },
        ]}
      />
      <AmountPart
        title={t('By location')}
        rows={[
          { key: 'own', name: t('This server’s storage'), ...own },
          ...buckets.map(({ id, name, bucket_name, space, count, bytes }) => ({
            key: id,
            name: t('{bucket} of {space}', { bucket: name || bucket_name, space: space.name }),
            ...{ count, bytes },
          })),
        ]}
      />
      <Missing findings={findings} hasSnapshot={hasSnapshot} />
      {spaces.length > 0 && (
        <AmountPart
          title={t('Largest spaces')}
          rows={spaces.map(({ id, ...rest }) => ({ key: id, ...rest }))}
        />
      )}
      {files.length > 0 && <FilePart title={t('Largest files')} files={files} />}
    </>
  )
}

interface AmountPartProps {
  title: string
  rows: readonly { key: string; name: string; count: number; bytes: number }[]
}

function AmountPart({ title, rows }: AmountPartProps) {
  return (
    <section className="operator-part">
      <h4>{title}</h4>
      <DataTable
        label={title}
        columns={[t('Name'), t('Files'), t('Size')]}
        rows={rows.map(({ key, name, count, bytes }) => ({
          key,
          cells: [name, formatAmount(count), formatSize(bytes)],
        }))}
      />
    </section>
  )
}

function Missing({ findings: { missing, loose }, hasSnapshot }: FindingsProps) {
  return (
    <section className="operator-part" aria-labelledby="operator-orphans">
      <h4 id="operator-orphans">{t('Missing and orphaned files')}</h4>
      <p className="settings-note">
        {missing.count === 0
          ? t('Every file is in the storage of this server.')
          : counted(
              missing.count,
              '{count} file is not in the storage of this server. A backup may have it.',
              '{count} files are not in the storage of this server. A backup may have them.',
            )}
      </p>
      {missing.files.length > 0 && <FileList title={t('Files missing from storage')} files={missing.files} />}
      <p className="settings-note">{looseText(loose)}</p>
      {hasSnapshot && loose !== null && loose.count > 0 && (
        <p className="settings-note">
          {t('Some may belong to the database snapshot under Updates. Don’t delete them.')}
        </p>
      )}
    </section>
  )
}

function looseText(loose: StorageFindings['loose']): string {
  if (loose === null) return t('Foyer doesn’t look for leftover objects in a bucket.')
  const { count, bytes } = loose
  if (count === 0) return t('There are no leftover objects.')
  return counted(
    count,
    '{count} stored object ({size}) doesn’t belong to any file.',
    '{count} stored objects ({size}) don’t belong to any file.',
    { size: formatSize(bytes) },
  )
}

interface FilePartProps {
  title: string
  files: readonly StoredFile[]
}

function FilePart({ title, files }: FilePartProps) {
  return (
    <section className="operator-part">
      <h4>{title}</h4>
      <FileList title={title} files={files} />
    </section>
  )
}

function FileList({ title, files }: { title: string; files: readonly StoredFile[] }) {
  return (
    <ul className="settings-list" aria-label={title}>
      {files.map(({ id, filename, purpose, bytes, space, uploader, created_at }) => (
        <li key={id} className="settings-row">
          <span className="settings-names">
            <span className="settings-name">{filename}</span>
            <span className="settings-note operator-notes">
              <span>{placeText(purpose, space)}</span>
              <span>
                {t('by {name}', { name: uploader === null ? t('a deleted account') : personName(uploader) })}
              </span>
              <time dateTime={created_at} title={formatFull(created_at)}>
                {formatDate(created_at)}
              </time>
            </span>
          </span>
          <span className="data-size">{formatSize(bytes)}</span>
        </li>
      ))}
    </ul>
  )
}

/** Returns the space of a message's file, or that it is in a conversation. For any other file, returns its purpose. */
function placeText(purpose: StoredFile['purpose'], space: StoredFile['space']): string {
  if (purpose !== 'message' && purpose !== 'held') return purposeLabels[purpose]
  return space?.name ?? t('in a conversation')
}
