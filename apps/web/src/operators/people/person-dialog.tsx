import type { OperatorUser } from '@foyer/protocol/operators'
import { Administration } from '@foyer/sdk/api/administration'
import type { RefObject } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { ConfirmByName } from '#src/ui/dialogs/confirm-by-name.tsx'
import { RevokeOperator } from '../administrators/revoke-operator.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'
import { operatorWords } from '../words.ts'

/** An action on an account. */
export type PersonAction = 'lock' | 'unlock' | 'grant' | 'revoke' | 'second-factor' | 'delete'

interface DialogProps {
  account: OperatorUser
  /** Called with the changed account, or null for a deleted one, and a text about it. */
  onChange: (account: OperatorUser | null, message: string) => void
  onClose: () => void
  focusAfter: RefObject<HTMLElement | null>
}

const dialogs = {
  lock: Lock,
  unlock: Unlock,
  grant: Grant,
  revoke: Revoke,
  'second-factor': SecondFactor,
  delete: Delete,
}

/** Confirms an action on an account. */
export function PersonDialog({ action, ...props }: DialogProps & { action: PersonAction }) {
  const Dialog = dialogs[action]
  return <Dialog {...props} />
}

function Lock({ account, onChange, onClose }: DialogProps) {
  const { client } = useSession()
  const { id, username, is_bot } = account.user
  const name = `@${username}`

  async function lock(reason: string | null) {
    onChange(await client.api(Administration).lockUser(id, { reason }), t('{name} is locked.', { name }))
  }

  return (
    <ReasonDialog
      title={t('Lock {name}?', { name })}
      description={
        is_bot
          ? t('The bot is disconnected and its token stops working. It stays in its spaces.')
          : t(
              'They’re signed out on every device right away, can’t sign in again, and their bots stop. Their memberships and messages stay, and you can unlock them at any time.',
            )
      }
      action={t('Lock account')}
      run={lock}
      onClose={onClose}
    />
  )
}

function Unlock({ account, onChange, onClose }: DialogProps) {
  const { client } = useSession()
  const { id, username, is_bot } = account.user
  const name = `@${username}`

  async function unlock() {
    onChange(await client.api(Administration).unlockUser(id), t('{name} is unlocked.', { name }))
  }

  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Unlock {name}?', { name })}
      action={t('Unlock account')}
      look="primary"
      words={operatorWords}
      run={unlock}
    >
      <p>
        {is_bot
          ? t('Its token works again, and it can reconnect.')
          : t('They can sign in again, and their bots can reconnect. Administrator rights don’t come back.')}
      </p>
    </Confirm>
  )
}

function Grant({ account, onChange, onClose }: DialogProps) {
  const { client } = useSession()
  const { id, username } = account.user
  const name = `@${username}`

  async function grant() {
    const { user } = await client.api(Administration).grant(id)
    onChange({ ...account, user, is_operator: true }, t('{name} is an administrator now.', { name }))
  }

  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Make {name} an administrator?', { name })}
      action={t('Make administrator')}
      words={operatorWords}
      run={grant}
    >
      <p>
        {t(
          'They can do everything on these pages: lock and delete accounts and spaces, decide who may sign up, and remove other administrators, including you.',
        )}
      </p>
    </Confirm>
  )
}

function Revoke({ account, onChange, onClose }: DialogProps) {
  const { user } = account
  const message = t('{name} is no longer an administrator.', { name: `@${user.username}` })
  return (
    <RevokeOperator
      user={user}
      onRevoked={() => onChange({ ...account, is_operator: false }, message)}
      onClose={onClose}
    />
  )
}

function SecondFactor({ account, onChange, onClose }: DialogProps) {
  const { client } = useSession()
  const { id, username } = account.user
  const name = `@${username}`

  async function remove() {
    const changed = await client.api(Administration).removeSecondFactor(id)
    onChange(changed, t('{name} now signs in with their password alone.', { name }))
  }

  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Remove {name}’s second factor and passkeys?', { name })}
      action={t('Remove')}
      words={operatorWords}
      run={remove}
    >
      <p>
        {t(
          'Do this for people who have lost their devices. First make sure the request really comes from them: their password alone will be enough to sign in, and their passkeys stop working.',
        )}
      </p>
    </Confirm>
  )
}

function Delete({ account, onChange, onClose, focusAfter }: DialogProps) {
  const { client } = useSession()
  const { id, username, is_bot } = account.user
  const name = `@${username}`

  async function remove() {
    await client.api(Administration).deleteUser(id)
    onChange(null, t('{name} was deleted.', { name }))
  }

  return (
    <ConfirmByName
      name={username}
      title={t('Delete {name}?', { name })}
      description={
        is_bot
          ? t(
              'This deletes the bot and its application. Its messages stay, without its name. This can’t be undone.',
            )
          : t(
              'They’re signed out everywhere, leave all spaces and conversations, and lose their friends. Their messages stay, without their name. Someone else can take the username. This can’t be undone.',
            )
      }
      action={t('Delete account')}
      words={operatorWords}
      onConfirm={remove}
      onClose={onClose}
      focusAfter={focusAfter}
    />
  )
}
