import type { StorageOverview } from '@foyer/protocol/operator-storage'
import { Administration } from '@foyer/sdk/api/administration'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { formatSize } from '#src/attachments/transfer/size.ts'
import { counted, t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatAmount } from '../amounts.ts'
import { DataTable } from '../data-table.tsx'
import { useRefresh } from '../use-refresh.ts'
import { operatorWords } from '../words.ts'
import { Findings } from './findings.tsx'

const ask = (client: Client, options: CallOptions) => client.api(Administration).storage(options)
const isBusy = ({ survey }: StorageOverview) => survey.state !== 'idle'

/** Findings of the last survey, and the tables of the database. */
export function StorageSection() {
  const { answer, again } = useRefresh(ask, isBusy)
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  if (answer.state === 'loading') return <Skeleton />
  const { findings, tables, has_snapshot } = answer.value
  return (
    <>
      <SurveyLine storage={answer.value} again={again} />
      {findings !== null && <Findings findings={findings} hasSnapshot={has_snapshot} />}
      <section className="operator-part">
        <h4>{t('Largest database tables')}</h4>
        <DataTable
          label={t('Largest database tables')}
          columns={[t('Table'), t('Rows'), t('Size')]}
          rows={tables.map(({ name, rows, bytes }) => ({
            key: name,
            cells: [name, t('about {amount}', { amount: formatAmount(rows) }), formatSize(bytes)],
          }))}
        />
      </section>
    </>
  )
}

interface SurveyLineProps {
  storage: StorageOverview
  again: () => void
}

function SurveyLine({ storage: { survey, findings }, again }: SurveyLineProps) {
  const { client } = useSession()
  const asking = useAction(operatorWords)

  function askForSurvey() {
    asking.run(async () => {
      await client.api(Administration).surveyStorage()
      again()
    })
  }

  return (
    <div className="settings-line">
      <p>
        <strong>
          {findings === null
            ? t('The storage has not been checked yet')
            : t('Checked {ago}', { ago: formatAgo(findings.surveyed_at) })}
        </strong>
        <span role="status">{stateText(survey)}</span>
        {survey.failure !== null && survey.state === 'idle' && (
          <ErrorLine message={t('The last check failed: {why}', { why: survey.failure })} />
        )}
        <ErrorLine message={asking.error} />
      </p>
      <Button pending={asking.pending || survey.state !== 'idle'} onClick={askForSurvey}>
        {t('Check now')}
      </Button>
    </div>
  )
}

function stateText({ state, progress }: StorageOverview['survey']): string {
  if (state === 'waiting') return t('The check will start shortly.')
  if (state === 'running')
    return counted(progress, 'Checking: {count} file so far', 'Checking: {count} files so far')
  return t('A check looks at each file once. It runs in the background.')
}
