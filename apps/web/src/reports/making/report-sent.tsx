import type { User } from '@foyer/protocol/users'
import { useLayoutEffect, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { personName } from '#src/store/users.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import '../reporting.css'

interface ReportSentProps {
  spaceName: string | null
  author: User | null
  onClose: () => void
}

/** Explains the next steps, and offers to block the author. */
export function ReportSent({ spaceName, author, onClose }: ReportSentProps) {
  const text = useRef<HTMLDivElement>(null)
  // The form with the focus was removed.
  useLayoutEffect(() => text.current?.focus(), [])
  return (
    <>
      <div ref={text} tabIndex={-1} className="report-sent">
        <p>
          {spaceName === null
            ? t('The administrators of this server will look at it.')
            : t('The moderators of {space} will look at it.', { space: spaceName })}{' '}
          {t('You’ll see the decision here in Foyer, and in your user settings under Your reports.')}
        </p>
        {author !== null && author.deleted_at === null && <BlockOffer author={author} />}
      </div>
      <div className="form-actions">
        <Button look="primary" onClick={onClose}>
          {t('Done')}
        </Button>
      </div>
    </>
  )
}

function BlockOffer({ author }: { author: User }) {
  const { friends } = useSession().client
  const isBlocked = useAppState((state) => author.id in state.blocks)
  const action = useAction()
  const name = personName(author)
  return (
    <>
      <p role="status">
        {isBlocked
          ? t('You’ve blocked {name}.', { name })
          : t('You can also block {name}. Their messages are then hidden from you.', { name })}
      </p>
      {!isBlocked && (
        <div>
          <Button pending={action.pending} onClick={() => action.run(() => friends.block(author.id))}>
            {t('Block {name}', { name })}
          </Button>
        </div>
      )}
      {action.error !== null && (
        <p role="alert" className="form-error">
          {action.error}
        </p>
      )}
    </>
  )
}
