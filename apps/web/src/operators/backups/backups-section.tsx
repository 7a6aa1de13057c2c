import type { BackupOverview } from '@foyer/protocol/operator-backups'
import { Administration } from '@foyer/sdk/api/administration'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { counted, t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { formatFull } from '#src/ui/time/time.ts'
import { useRefresh } from '../use-refresh.ts'
import { operatorWords } from '../words.ts'
import { BackupList } from './backup-list.tsx'
import './backups.css'

const ask = (client: Client, options: CallOptions) => client.api(Administration).backups(options)
const isBusy = ({ run }: BackupOverview) => run.state !== 'idle'

/** The backups of this server, and the result of the last one. */
export function BackupsSection() {
  const { answer, again } = useRefresh(ask, isBusy)
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  if (answer.state === 'loading') return <Skeleton />
  const { schedule, is_overdue, trouble, last_failure, backups } = answer.value
  if (schedule === null) return <NoBackups />
  return (
    <>
      <ScheduleLine schedule={schedule} run={answer.value.run} again={again} />
      {trouble !== null && (
        <ErrorLine message={t('The backups could not be listed: {why}', { why: trouble })} />
      )}
      {last_failure !== null && (
        <ErrorLine
          message={t('The last backup failed ({time}): {why}', {
            time: formatFull(last_failure.at),
            why: last_failure.failure,
          })}
        />
      )}
      {is_overdue && (
        <p className="settings-why">
          {t('The newest backup is older than it should be, or there is none yet.')}
        </p>
      )}
      <BackupList backups={backups} />
    </>
  )
}

function NoBackups() {
  return (
    <p className="settings-why">
      {t(
        'This server doesn’t make automatic backups. Set BACKUP_TO and BACKUP_PASSPHRASE in its configuration and restart it, or run “npm run backup” regularly.',
      )}
    </p>
  )
}

interface ScheduleLineProps {
  schedule: NonNullable<BackupOverview['schedule']>
  run: BackupOverview['run']
  again: () => void
}

function ScheduleLine({ schedule, run, again }: ScheduleLineProps) {
  const { client } = useSession()
  const asking = useAction(operatorWords)
  const { every_hours, keep, location } = schedule

  function backUp() {
    asking.run(async () => {
      await client.api(Administration).backUp()
      again()
    })
  }

  return (
    <div className="settings-line">
      <p>
        <strong>{counted(every_hours, 'A backup every hour', 'A backup every {count} hours')}</strong>
        <span>{counted(keep, 'The newest one is kept.', 'The newest {count} are kept.')}</span>
        <span className="backup-place">{t('Location: {location}', { location })}</span>
        <span>
          {t('Change this with BACKUP_EVERY, BACKUP_KEEP and BACKUP_TO in the server’s environment.')}
        </span>
        <span role="status">{runTexts[run.state]}</span>
        <ErrorLine message={asking.error} />
      </p>
      <Button pending={asking.pending || run.state !== 'idle'} onClick={backUp}>
        {t('Back up now')}
      </Button>
    </div>
  )
}

const runTexts: Record<BackupOverview['run']['state'], string> = {
  idle: '',
  waiting: t('The backup will start shortly.'),
  database: t('The database is being copied.'),
  files: t('The files are being copied.'),
}
