import type { AppealState, OwnAppeal } from '@foyer/protocol/reports'
import { Appeals } from '@foyer/sdk/api/appeals'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { t } from '#src/language/texts.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatFull } from '#src/ui/time/time.ts'
import '#src/ui/marks/badge.css'
import './own-reports.css'

const stateLabels: Record<AppealState, string> = {
  open: t('Not decided yet'),
  accepted: t('You can join again'),
  refused: t('Refused'),
}

/** The user's appeals against bans, with the decisions. Hidden for a user without appeals. */
export function OwnAppeals() {
  const { answer, again } = useAnswer(listOwn)
  useEvent('APPEAL_UPDATE', again)
  useEvent('READY', again)
  if (answer.state === 'loading') return null
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  if (answer.value.length === 0) return null
  return (
    <section className="settings-block">
      <h3>{t('Your appeals')}</h3>
      <p className="settings-note">{t('An appeal asks the moderators of a space to end your ban.')}</p>
      <ul className="own-reports" aria-label={t('Your appeals')}>
        {answer.value.map((appeal) => (
          <Entry key={appeal.id} appeal={appeal} />
        ))}
      </ul>
    </section>
  )
}

function Entry({ appeal: { space, text, state, answer, created_at } }: { appeal: OwnAppeal }) {
  return (
    <li className="own-report">
      <p className="own-report-head">
        <strong dir="auto">{space.name}</strong>
        <span className="badge" data-state={state}>
          {stateLabels[state]}
        </span>
      </p>
      <p className="own-report-note">
        <time dateTime={created_at} title={formatFull(created_at)}>
          {formatAgo(created_at)}
        </time>
      </p>
      <p className="own-report-text" dir="auto">
        {text}
      </p>
      {answer !== null && (
        <p className="own-report-result">
          <strong>{t('Their answer')}</strong>
          <span dir="auto">{answer}</span>
        </p>
      )}
      {state === 'accepted' && <p className="own-report-note">{t('Open an invite link to join.')}</p>}
    </li>
  )
}

function listOwn(client: Client, options: CallOptions): Promise<OwnAppeal[]> {
  return client.api(Appeals).listOwn(options)
}
