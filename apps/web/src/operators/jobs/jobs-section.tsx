import type { JobOverview } from '@foyer/protocol/operator-jobs'
import { Administration } from '@foyer/sdk/api/administration'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { t } from '#src/language/texts.ts'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { formatAmount } from '../amounts.ts'
import { DataTable } from '../data-table.tsx'
import { useRefresh } from '../use-refresh.ts'
import { FailedJobs } from './failed-jobs.tsx'

const ask = (client: Client, options: CallOptions) => client.api(Administration).jobs(options)

/** Background jobs: failed and waiting ones. */
export function JobsSection() {
  const { answer, again } = useRefresh(ask)
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  if (answer.state === 'loading') return <Skeleton />
  return (
    <>
      <FailedJobs jobs={answer.value} again={again} />
      <Counts jobs={answer.value} />
    </>
  )
}

function Counts({ jobs: { counts, is_complete } }: { jobs: JobOverview }) {
  return (
    <section className="operator-part">
      <h4>{t('All jobs')}</h4>
      {!is_complete && <p className="settings-note">{t('There are too many jobs to count them all.')}</p>}
      {counts.length === 0 ? (
        <p className="settings-note">{t('No jobs are waiting.')}</p>
      ) : (
        <DataTable
          label={t('All jobs')}
          columns={[t('Job'), t('Ready'), t('Scheduled'), t('Running'), t('Failed')]}
          rows={counts.map(({ task, ready, later, running, failed }) => ({
            key: task,
            cells: [task, ...[ready, later, running, failed].map(formatAmount)],
          }))}
        />
      )}
    </section>
  )
}
