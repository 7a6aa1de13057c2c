import type { Operator } from '@foyer/protocol/operators'
import { Administration } from '@foyer/sdk/api/administration'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { useAppState } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { usePeople } from '#src/session/use-people.ts'
import { personName } from '#src/store/users.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useSectionLink } from '#src/ui/dialogs/section-links.ts'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatDate, formatFull } from '#src/ui/time/time.ts'
import { useReturn } from '../use-return.ts'
import { operatorWords } from '../words.ts'
import { RevokeOperator } from './revoke-operator.tsx'

const ask = (client: Client, options: CallOptions) => client.api(Administration).list(options)

/** The list of administrators of this server. */
export function AdministratorsSection() {
  const { answer, again, change } = useAnswer(ask, operatorWords)
  const findPerson = useSectionLink('people')
  const operators = answer.state === 'here' ? answer.value : []
  usePeople(operators.flatMap(({ granted_by }) => granted_by ?? []))
  useReturn(again)
  useEvent('READY', again)
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  if (answer.state === 'loading') return <Skeleton />
  return (
    <>
      <div className="settings-line">
        <p>
          {t(
            'Administrators see these pages. In spaces they have the same permissions as everyone else. To add one, find the person under People and choose “Make administrator”.',
          )}
        </p>
        {findPerson !== null && (
          <Button onClick={findPerson}>
            <UserPlus aria-hidden="true" /> {t('Find a person')}
          </Button>
        )}
      </div>
      <ul className="settings-list" aria-label={t('Administrators')}>
        {operators.map((operator) => (
          <OperatorEntry
            key={operator.user.id}
            operator={operator}
            onRevoked={() => change((all) => all.filter(({ user }) => user.id !== operator.user.id))}
          />
        ))}
      </ul>
    </>
  )
}

function OperatorEntry({ operator, onRevoked }: { operator: Operator; onRevoked: () => void }) {
  const { user, granted_by, created_at } = operator
  const [asking, setAsking] = useState(false)
  const isMe = useAppState((state) => state.me?.id === user.id)
  const giver = useAppState((state) => state.users[granted_by ?? ''])
  const name = personName(user)
  return (
    <li className="settings-row">
      <span className="settings-person">
        <Avatar id={user.id} name={name} picture={user.avatar} />
        <span className="settings-names">
          <span className="settings-name">{name}</span>
          <span className="settings-note operator-notes">
            <span>@{user.username}</span>
            <time dateTime={created_at} title={formatFull(created_at)}>
              {giver === undefined
                ? t('administrator since {date}', { date: formatDate(created_at) })
                : t('made administrator by {name} {ago}', {
                    name: personName(giver),
                    ago: formatAgo(created_at),
                  })}
            </time>
          </span>
        </span>
      </span>
      <Button
        aria-label={isMe ? t('Step down') : t('Remove {name}', { name })}
        onClick={() => setAsking(true)}
      >
        {isMe ? t('Step down') : t('Remove')}
      </Button>
      {asking && <RevokeOperator user={user} onRevoked={onRevoked} onClose={() => setAsking(false)} />}
    </li>
  )
}
