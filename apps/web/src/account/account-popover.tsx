import type { CurrentUser } from '@foyer/protocol/users'
import { Settings2 } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { usePopup } from '#src/ui/popups/use-popup.ts'
import './account-popover.css'

const AccountPanel = lazyPopup(() => import('./account-panel.tsx').then((module) => module.AccountPanel))

/** The signed-in user below the room list. Opens the account panel. */
export function AccountPopover({ me }: { me: CurrentUser }) {
  const { isWanted, trigger, popup } = usePopup({ kind: 'dialog' })
  const name = me.alias ?? me.username
  const status = me.custom || `@${me.username}`
  return (
    <>
      <button
        type="button"
        {...trigger}
        className="account-trigger"
        aria-label={`${t('Account: {name}', { name })} ${status}`}
      >
        <Avatar id={me.id} name={name} hasPresence />
        <span className="account-names">
          <span className="member-name" dir="auto">
            {name}
          </span>{' '}
          <span className="member-status">{status}</span>
        </span>
        <Settings2 aria-hidden="true" />
      </button>
      {isWanted && <AccountPanel me={me} popup={popup} />}
    </>
  )
}
