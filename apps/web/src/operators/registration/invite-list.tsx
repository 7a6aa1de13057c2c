import type { OperatorInvite } from '@foyer/protocol/operators'
import type { RegistrationSettings } from '@foyer/protocol/registration'
import { Administration } from '@foyer/sdk/api/administration'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { UserPlus } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { usePeople } from '#src/session/use-people.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { useNow } from '#src/ui/time/use-now.ts'
import { useReturn } from '../use-return.ts'
import { operatorWords } from '../words.ts'
import { InviteEntry } from './invite-entry.tsx'
import { NewInvite } from './new-invite.tsx'

const ask = (client: Client, options: CallOptions) => client.api(Administration).listInvites(options)

/** Refresh interval of the remaining times, which are shown in minutes. */
const TIMES_MS = 20_000
const STEP = 50

/** Invites to the server. */
export function InviteList({ rules }: { rules: RegistrationSettings }) {
  const { answer, again, change } = useAnswer(ask, operatorWords)
  const [isMaking, setIsMaking] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useReturn(again)
  useEvent('READY', again)
  return (
    <section className="operator-part" aria-labelledby="operator-invites">
      <div className="operator-part-head">
        <h4 ref={heading} tabIndex={-1} id="operator-invites">
          {t('Invites to this server')}
        </h4>
        <Button onClick={() => setIsMaking(true)}>
          <UserPlus aria-hidden="true" /> {t('Create invite')}
        </Button>
      </div>
      <p className="settings-note">{purposeOf(rules)}</p>
      {answer.state === 'failed' && <LoadError message={answer.message} again={again} />}
      {answer.state === 'loading' && <Skeleton />}
      {answer.state === 'here' && (
        <Invites
          invites={answer.value}
          focusAfter={heading}
          onRevoked={(id) => change((all) => all.filter((each) => each.id !== id))}
        />
      )}
      {isMaking && (
        <NewInvite
          onMade={(invite) => change((all) => [invite, ...all.filter(({ id }) => id !== invite.id)])}
          onClose={() => setIsMaking(false)}
        />
      )}
    </section>
  )
}

function purposeOf({ mode, domains }: RegistrationSettings): string {
  if (mode === 'closed') return t('Invites don’t work while no one can sign up.')
  if (mode === 'open' && domains.length === 0)
    return t('Anyone can sign up at the moment, so people don’t need an invite.')
  return t(
    'People with an invite can create an account with any email address. To invite someone to a space, use the invites of that space.',
  )
}

interface InvitesProps {
  invites: readonly OperatorInvite[]
  focusAfter: RefObject<HTMLElement | null>
  onRevoked: (id: string) => void
}

function Invites({ invites, focusAfter, onRevoked }: InvitesProps) {
  const [limit, setLimit] = useState(STEP)
  const now = useNow(TIMES_MS)
  usePeople(invites.flatMap(({ created_by }) => created_by ?? []))
  if (invites.length === 0)
    return <p className="settings-note">{t('There are no invites to this server.')}</p>
  return (
    <>
      <ul className="settings-list" aria-labelledby="operator-invites">
        {invites.slice(0, limit).map((invite) => (
          <InviteEntry
            key={invite.id}
            invite={invite}
            now={now}
            focusAfter={focusAfter}
            onRevoked={() => onRevoked(invite.id)}
          />
        ))}
      </ul>
      {invites.length > limit && <Button onClick={() => setLimit(limit + STEP)}>{t('Show more')}</Button>}
    </>
  )
}
