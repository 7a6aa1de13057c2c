import type { HeldMessage } from '@foyer/protocol/automod'
import { AUTOMOD_DAYS } from '@foyer/protocol/limits'
import { Inbox } from 'lucide-react'
import { useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { HeldRow } from './held-row.tsx'
import type { Held } from './use-held.ts'

/** Rows rendered per page. */
const STEP = 50

const DECIDED = t('Another moderator has already decided on this message.')

/** The messages that wait for review, oldest first. */
export function HeldList({
  spaceId,
  held: { messages, error, again, remove },
}: {
  spaceId: string
  held: Held
}) {
  const [limit, setLimit] = useState(STEP)
  const [notice, setNotice] = useState<string | null>(null)
  const top = useRef<HTMLParagraphElement>(null)

  if (error !== null) return <LoadError message={error} again={again} />
  if (messages === undefined) return <Skeleton />

  function settle({ id }: HeldMessage, wasDecided: boolean) {
    // The focused button is about to disappear.
    top.current?.focus()
    setNotice(wasDecided ? DECIDED : null)
    remove(id)
  }

  return (
    <>
      <p ref={top} tabIndex={-1} className="settings-note automod-top">
        {t('No one else sees these messages until you post them. After {days} days they’re discarded.', {
          days: AUTOMOD_DAYS,
        })}
      </p>
      <ErrorLine message={notice} />
      {messages.length === 0 && (
        <EmptyNote icon={<Inbox />} title={t('Nothing to review')}>
          {t('Messages that a rule holds for review appear here.')}
        </EmptyNote>
      )}
      <ul className="settings-list" aria-label={t('Waiting for review')}>
        {messages.slice(0, limit).map((message) => (
          <HeldRow key={message.id} spaceId={spaceId} message={message} onSettled={settle} />
        ))}
      </ul>
      {messages.length > limit && <Button onClick={() => setLimit(limit + STEP)}>{t('Show more')}</Button>}
    </>
  )
}
