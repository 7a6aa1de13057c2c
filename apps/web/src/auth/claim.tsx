import type { CurrentUser } from '@foyer/protocol/users'
import { Administration } from '@foyer/sdk/api/administration'
import { type RefObject, useEffect } from 'react'
import { Link } from 'wouter'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { useAppState, useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'

const words = {
  invalid_token: t('This link doesn’t work. Open the newest one that the server printed.'),
  has_operator: t('This server already has an administrator. Ask them to make you an administrator, too.'),
  bots_not_allowed: t('Bots can’t be administrators. Sign in as a person.'),
}

interface ClaimProps {
  token: string
  /** True to become the operator without a click on the button: the user has just signed in or up for that. */
  atOnce: RefObject<boolean>
  onDone: () => void
}

/** Makes the signed-in user the operator, after showing which account that is. */
export function Claim({ token, atOnce, onDone }: ClaimProps) {
  const { client } = useSession()
  const me = useAppState((state) => state.me)
  const { pending, error, run } = useAction(words)

  function claim() {
    run(async () => {
      await client.api(Administration).claim(token)
      onDone()
    })
  }

  useEffect(() => {
    if (!atOnce.current) return
    atOnce.current = false
    claim()
  })

  return (
    <>
      {me !== null && <Account me={me} />}
      <Button look="primary" pending={pending || me === null} onClick={claim}>
        {t('Become the administrator')}
      </Button>
      {error !== null && (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
      <p className="auth-switch">
        <SignOut /> · <Link href="/">{t('Not now')}</Link>
      </p>
    </>
  )
}

/** Names the account that becomes the operator. */
function Account({ me }: { me: CurrentUser }) {
  return (
    <div className="auth-account">
      <Avatar id={me.id} name={me.alias ?? me.username} picture={me.avatar} />
      <p>
        {t('You’re signed in as')}
        <strong>
          <bdi>{me.alias ?? me.username}</bdi>
        </strong>
        <span>@{me.username}</span>
      </p>
    </div>
  )
}

function SignOut() {
  const { client } = useSession()
  return (
    // The client signs out even if this fails.
    <Button look="text" onClick={() => client.auth.logout().catch(() => undefined)}>
      {t('Use another account')}
    </Button>
  )
}
