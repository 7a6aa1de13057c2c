import type { User } from '@foyer/protocol/users'
import { Administration } from '@foyer/sdk/api/administration'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { operatorWords } from '../words.ts'

interface RevokeOperatorProps {
  user: User
  onRevoked: () => void
  onClose: () => void
}

/** Asks for confirmation, then removes an administrator, who may be the user. */
export function RevokeOperator({ user, onRevoked, onClose }: RevokeOperatorProps) {
  const { client } = useSession()
  const isMe = useAppState((state) => state.me?.id === user.id)
  const name = `@${user.username}`

  async function revoke() {
    await client.api(Administration).revoke(user.id)
    onRevoked()
  }

  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={isMe ? t('Step down as administrator?') : t('Remove {name} as administrator?', { name })}
      action={isMe ? t('Step down') : t('Remove')}
      words={operatorWords}
      run={revoke}
    >
      <p>
        {isMe
          ? t('You lose access to these pages at once. Only another administrator can give it back.')
          : t('They lose access to these pages at once. Their account and spaces stay as they are.')}
      </p>
    </Confirm>
  )
}
