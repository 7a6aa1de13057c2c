import type { Registration } from '@foyer/protocol/registration'
import { Administration } from '@foyer/sdk/api/administration'
import { ApiError } from '@foyer/sdk/rest'
import { type RefObject, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { operatorWords } from '../words.ts'
import { RefuseDialog } from './refuse-dialog.tsx'

interface ApplicationEntryProps {
  application: Registration
  /** Called with a text about the decision. */
  onDecided: (message: string) => void
}

/**
 * A person who waits for an account. After the decision, the row stays until the list is read again: the second click of a double
 * click must not decide on the next person.
 */
export function ApplicationEntry({ application, onDecided }: ApplicationEntryProps) {
  const { username, alias, email_domain, question, answer, created_at } = application
  const [decision, setDecision] = useState<string | null>(null)
  const row = useRef<HTMLLIElement>(null)

  function decided(message: string) {
    // The focused button is about to disappear.
    row.current?.focus()
    setDecision(message)
    onDecided(message)
  }

  return (
    <li ref={row} tabIndex={-1} className="settings-row operator-row">
      <span className="settings-names">
        <span className="settings-name">{alias ?? username}</span>
        <span className="settings-note operator-notes">
          <span>@{username}</span>
          <span>{t('email at {domain}', { domain: email_domain })}</span>
          <time dateTime={created_at} title={formatFull(created_at)}>
            {t('applied {ago}', { ago: formatAgo(created_at) })}
          </time>
        </span>
        {question !== null && <span className="settings-note">{question}</span>}
        {answer !== null && <span className="settings-quote operator-answer">{answer}</span>}
      </span>
      {decision === null ? (
        <Decisions application={application} row={row} onDecided={decided} />
      ) : (
        <span className="settings-note">{decision}</span>
      )}
    </li>
  )
}

interface DecisionsProps extends ApplicationEntryProps {
  row: RefObject<HTMLElement | null>
}

function Decisions({ application: { id, username }, row, onDecided }: DecisionsProps) {
  const { client } = useSession()
  const [isRefusing, setIsRefusing] = useState(false)
  const approving = useAction(operatorWords)
  const name = `@${username}`

  async function approve() {
    const isFirst = await isDecidedHere(client.api(Administration).approveRegistration(id))
    onDecided(isFirst ? t('{name} has an account now.', { name }) : decidedByOther)
  }

  async function refuse(message: string | null) {
    const isFirst = await isDecidedHere(client.api(Administration).refuseRegistration(id, { message }))
    onDecided(isFirst ? t('{name} was declined.', { name }) : decidedByOther)
  }

  return (
    <>
      <span className="settings-actions">
        <Button
          look="primary"
          aria-label={t('Approve {name}', { name })}
          pending={approving.pending}
          onClick={() => approving.run(approve)}
        >
          {t('Approve')}
        </Button>
        <Button aria-label={t('Decline {name}', { name })} onClick={() => setIsRefusing(true)}>
          {t('Decline…')}
        </Button>
      </span>
      <ErrorLine message={approving.error} />
      {isRefusing && (
        <RefuseDialog name={name} refuse={refuse} onClose={() => setIsRefusing(false)} focusAfter={row} />
      )}
    </>
  )
}

const decidedByOther = t('Another administrator has already decided on this application.')

/** Waits for the request that sends the decision. @returns false if another administrator has already decided */
async function isDecidedHere(request: Promise<void>): Promise<boolean> {
  try {
    await request
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unknown_registration') return false
    throw error
  }
}
