import type { OperatorUser } from '@foyer/protocol/operators'
import { Administration } from '@foyer/sdk/api/administration'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { Users } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { SearchField } from '#src/ui/fields/search-field.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { PagedRows } from '../paged-rows.tsx'
import { usePages } from '../use-pages.ts'
import { usePause } from '../use-pause.ts'
import { withAccount } from './accounts.ts'
import { PersonEntry } from './person-entry.tsx'

/** Maximum characters of a search that the server accepts. */
const MAX_QUERY_CHARACTERS = 254

const SHOWN = [
  ['', t('All accounts')],
  ['locked', t('Locked accounts')],
] as const

/** The accounts of this server, to find and lock them. */
export function PeopleSection({ peopleQuery }: { peopleQuery: string }) {
  const [query, setQuery] = useState(peopleQuery)
  const [isLocked, setIsLocked] = useState(false)
  const sought = usePause(query.trim().replace(/^@/, '').slice(0, MAX_QUERY_CHARACTERS))
  const search = useRef<HTMLInputElement>(null)
  const [outcome, setOutcome] = useState('')
  const read = useCallback(
    (client: Client, last: OperatorUser | undefined, options?: CallOptions) =>
      client.api(Administration).findUsers(
        {
          ...(sought !== '' && { query: sought }),
          ...(isLocked && { locked: true }),
          ...(last !== undefined && { after: last.user.id }),
        },
        options,
      ),
    [sought, isLocked],
  )
  const list = usePages(read)
  const isNarrowed = sought !== '' || isLocked

  function onChange(userId: string, account: OperatorUser | null, message: string) {
    list.change((accounts) => withAccount(accounts, userId, account))
    setOutcome(message)
  }

  return (
    <>
      <search className="operator-tools" aria-label={t('Find accounts')}>
        <SearchField
          label={t('Username, full email address or ID')}
          value={query}
          onChange={setQuery}
          input={search}
        />
        <SelectField
          name="locked"
          label={t('Show')}
          options={SHOWN}
          value={isLocked ? 'locked' : ''}
          onChange={(value) => setIsLocked(value !== '')}
        />
      </search>
      <p className="visually-hidden" role="status">
        {outcome}
      </p>
      <PagedRows list={list} label={t('Accounts')} empty={<NoAccounts isNarrowed={isNarrowed} />}>
        {(account) => (
          <PersonEntry key={account.user.id} account={account} onChange={onChange} focusAfter={search} />
        )}
      </PagedRows>
    </>
  )
}

function NoAccounts({ isNarrowed }: { isNarrowed: boolean }) {
  return (
    <EmptyNote icon={<Users />} title={isNarrowed ? t('No accounts found') : t('No accounts yet')}>
      {t('Type the beginning of a username, or a full email address or ID.')}
    </EmptyNote>
  )
}
