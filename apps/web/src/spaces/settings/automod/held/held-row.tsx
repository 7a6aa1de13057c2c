import type { HeldMessage } from '@foyer/protocol/automod'
import { Automod } from '@foyer/sdk/api/automod'
import { ApiError } from '@foyer/sdk/rest'
import { counted, t } from '#src/language/texts.ts'
import { useNames } from '#src/members/use-names.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { CaughtText } from '../caught-text.tsx'

interface HeldRowProps {
  spaceId: string
  message: HeldMessage
  /** Called after the decision. `wasDecided` is true if another moderator decided first. */
  onSettled: (message: HeldMessage, wasDecided: boolean) => void
}

export function HeldRow({ spaceId, message, onSettled }: HeldRowProps) {
  const { client } = useSession()
  const { pending, error, run } = useAction()
  const { author, file_count, rule_name } = message
  const name = useNames(spaceId)(author)

  async function settle(request: Promise<unknown>) {
    try {
      await request
    } catch (thrown) {
      const isGone = thrown instanceof ApiError && thrown.status === 404
      if (!isGone) throw thrown
      return onSettled(message, true)
    }
    onSettled(message, false)
  }

  return (
    <CaughtText
      spaceId={spaceId}
      author={{ id: author.id, name, picture: author.avatar }}
      roomId={message.room_id}
      createdAt={message.created_at}
      text={message.content}
      notes={[
        <span key="rule">{t('Rule: {name}', { name: rule_name })}</span>,
        file_count > 0 && <span key="files">{counted(file_count, '{count} file', '{count} files')}</span>,
      ]}
    >
      <span className="settings-actions">
        <Button
          look="primary"
          aria-label={t('Post the message by {name}', { name })}
          pending={pending}
          onClick={() => run(() => settle(client.api(Automod).approveHeld(spaceId, message.id)))}
        >
          {t('Post')}
        </Button>
        <Button
          aria-label={t('Discard the message by {name}', { name })}
          pending={pending}
          onClick={() => run(() => settle(client.api(Automod).rejectHeld(spaceId, message.id)))}
        >
          {t('Discard')}
        </Button>
      </span>
      <ErrorLine message={error} />
    </CaughtText>
  )
}
