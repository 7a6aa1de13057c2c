import type { FailedJob, JobOverview } from '@foyer/protocol/operator-jobs'
import { Administration } from '@foyer/sdk/api/administration'
import { RotateCw } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { operatorWords } from '../words.ts'

interface FailedJobsProps {
  jobs: JobOverview
  again: () => void
}

/** Jobs whose last attempt failed, by task. */
export function FailedJobs({ jobs: { failed, counts }, again }: FailedJobsProps) {
  const tasks = counts.filter((one) => one.failed > 0)
  const heading = useRef<HTMLHeadingElement>(null)
  const [retried, setRetried] = useState<number | null>(null)

  function retriedAll(count: number) {
    setRetried(count)
    heading.current?.focus()
  }

  return (
    <section className="operator-part" aria-labelledby="operator-failed-jobs">
      <h4 ref={heading} tabIndex={-1} id="operator-failed-jobs">
        {t('Failed jobs')}
      </h4>
      <p role="status" className="settings-note">
        {retried !== null && counted(retried, '{count} job will run again.', '{count} jobs will run again.')}
      </p>
      {failed.length === 0 && (
        <p className="settings-note">{t('No failed jobs. Jobs that fail are kept here for a day.')}</p>
      )}
      {tasks.map(({ task, failed: count }) => (
        <TaskLine key={task} task={task} count={count} onRetried={retriedAll} again={again} />
      ))}
      {failed.length > 0 && (
        <ul className="settings-list" aria-label={t('Failed jobs')}>
          {failed.map((job) => (
            <JobEntry key={job.id} job={job} heading={heading} again={again} />
          ))}
        </ul>
      )}
    </section>
  )
}

interface TaskLineProps {
  task: string
  count: number
  onRetried: (count: number) => void
  again: () => void
}

function TaskLine({ task, count, onRetried, again }: TaskLineProps) {
  const { client } = useSession()
  const retrying = useAction(operatorWords)

  function retry() {
    retrying.run(async () => {
      const retried = await client.api(Administration).retryJobs(task).finally(again)
      onRetried(retried.count)
    })
  }

  return (
    <div className="settings-line">
      <p>
        <strong>{task}</strong>
        <span>{counted(count, '{count} job has failed', '{count} jobs have failed')}</span>
        <ErrorLine message={retrying.error} />
      </p>
      <Button pending={retrying.pending} aria-label={t('Retry all: {task}', { task })} onClick={retry}>
        <RotateCw aria-hidden="true" /> {t('Retry all')}
      </Button>
    </div>
  )
}

interface JobEntryProps {
  job: FailedJob
  /** Receives the focus when the entry is removed. */
  heading: RefObject<HTMLElement | null>
  again: () => void
}

function JobEntry({ job, heading, again }: JobEntryProps) {
  const { client } = useSession()
  const [isAsking, setIsAsking] = useState(false)
  const retrying = useAction(operatorWords)
  const { id, task, attempts, error, about, failed_at } = job
  const name = t('{task}, number {id}', { task, id })

  function retry() {
    retrying.run(async () => {
      await client.api(Administration).retryJob(id).finally(again)
      heading.current?.focus()
    })
  }

  async function remove() {
    await client.api(Administration).deleteJob(id).finally(again)
  }

  return (
    <li className="settings-row operator-row" aria-label={name}>
      <span className="settings-names">
        <span className="settings-name">{task}</span>
        <span className="settings-note operator-notes">
          <time dateTime={failed_at} title={formatFull(failed_at)}>
            {formatAgo(failed_at)}
          </time>
          <span>{counted(attempts, '{count} attempt', '{count} attempts')}</span>
          {Object.entries(about).map(([field, value]) => (
            <span key={field}>{t('{label}: {value}', { label: field, value })}</span>
          ))}
        </span>
        <span className="settings-quote">{error}</span>
      </span>
      <span className="settings-actions">
        <Button pending={retrying.pending} aria-label={t('Retry {name}', { name })} onClick={retry}>
          {t('Retry')}
        </Button>
        <Button aria-label={t('Delete {name}', { name })} onClick={() => setIsAsking(true)}>
          {t('Delete')}
        </Button>
      </span>
      <ErrorLine message={retrying.error} />
      <Confirm
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t('Delete this job?')}
        action={t('Delete')}
        words={operatorWords}
        run={remove}
        focusAfter={heading}
      >
        <p>{t('The job won’t be retried, and its work won’t be done.')}</p>
      </Confirm>
    </li>
  )
}
