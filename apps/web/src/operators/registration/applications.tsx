import type { Registration } from '@foyer/protocol/registration'
import { Administration } from '@foyer/sdk/api/administration'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { PagedRows } from '../paged-rows.tsx'
import { usePages } from '../use-pages.ts'
import { ApplicationEntry } from './application-entry.tsx'

const read = (client: Client, last: Registration | undefined, options?: CallOptions) =>
  client.api(Administration).listRegistrations(last === undefined ? {} : { after: last.id }, options)

/**
 * Pending applications for an account, oldest first.
 * @param isExpected false if no one can apply any more: then the list only appears while applications are pending
 */
export function Applications({ isExpected }: { isExpected: boolean }) {
  const list = usePages(read)
  const [outcome, setOutcome] = useState('')
  const isEmpty = list.items === undefined ? list.error === null : list.items.length === 0
  if (isEmpty && list.loadMore === null && !isExpected) return null
  return (
    <section className="operator-part" aria-labelledby="operator-applications">
      <div className="operator-part-head">
        <h4 id="operator-applications">{t('Account applications')}</h4>
        <IconButton label={t('Check for new applications')} icon={<RefreshCw />} onClick={list.again} />
      </div>
      <p className="visually-hidden" role="status">
        {outcome}
      </p>
      <PagedRows
        list={list}
        label={t('Account applications')}
        empty={
          <p className="settings-note">
            {t('No one is waiting. People who apply for an account appear here, for 30 days.')}
          </p>
        }
      >
        {(application) => (
          <ApplicationEntry key={application.id} application={application} onDecided={setOutcome} />
        )}
      </PagedRows>
    </section>
  )
}
