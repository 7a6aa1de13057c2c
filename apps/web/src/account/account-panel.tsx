import type { CurrentUser } from '@foyer/protocol/users'
import { Download, LogOut, ServerCog, Settings } from 'lucide-react'
import { Suspense, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useInstall } from '#src/notifications/device/install.ts'
import { StatusField } from '#src/presence/status-field.tsx'
import { StatusMenu } from '#src/presence/status-menu.tsx'
import { useSession } from '#src/session/context.ts'
import { isOperator } from '#src/store/users.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { PageLink } from '#src/ui/buttons/page-link.tsx'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { PopupPanel } from '#src/ui/popups/popup-panel.tsx'
import type { PopupAnchor } from '#src/ui/popups/use-popup.ts'
import './account-popover.css'
import { useOpenSettings } from './open-settings.tsx'
import { ProfileForm } from './profile-form.tsx'

const ProviderSignOut = lazyComponent(
  () => import('./identities/provider-sign-out.tsx').then((module) => module.ProviderSignOut),
  () => null,
)

/** The profile form, status and sign-out button of the signed-in user. */
export function AccountPanel({ me, popup }: { me: CurrentUser; popup: PopupAnchor }) {
  const openSettings = useOpenSettings()
  return (
    <PopupPanel popup={popup} label={t('Your account')} className="account-popover" side="top">
      <h2 className="account-title">{t('Your account')}</h2>
      <p className="account-handle">@{me.username}</p>
      {!me.email_verified && <Unverified />}
      <StatusMenu />
      <StatusField me={me} />
      <ProfileForm me={me} onSaved={() => popup.onOpenChange(false)} />
      <Button
        onClick={() => {
          popup.onOpenChange(false)
          openSettings()
        }}
      >
        <Settings aria-hidden="true" /> {t('User settings')}
      </Button>
      {isOperator(me) && <Administration onOpen={() => popup.onOpenChange(false)} />}
      <Install />
      <Suspense>
        <ProviderSignOut />
      </Suspense>
      <SignOut />
    </PopupPanel>
  )
}

function Administration({ onOpen }: { onOpen: () => void }) {
  return (
    <PageLink href="/operator" className="button button-quiet account-administration" onClick={onOpen}>
      <ServerCog aria-hidden="true" /> {t('Server administration')}
    </PageLink>
  )
}

function Install() {
  const install = useInstall()
  if (install === null) return null
  return (
    <Button onClick={install}>
      <Download aria-hidden="true" /> {t('Install Foyer')}
    </Button>
  )
}

function SignOut() {
  const { client } = useSession()
  const [pending, setPending] = useState(false)
  function signOut() {
    setPending(true)
    // The client signs out even if this fails. The server's session then expires by itself.
    client.auth.logout().catch(() => undefined)
  }
  return (
    <Button className="account-sign-out" pending={pending} onClick={signOut}>
      <LogOut aria-hidden="true" /> {t('Sign out')}
    </Button>
  )
}

function Unverified() {
  const { client } = useSession()
  const [result, setResult] = useState<string | null>(null)
  function send() {
    client.auth.sendVerification().then(
      () => setResult(t('We’ve emailed you a new link.')),
      (error) => setResult(errorMessage(error)),
    )
  }
  return (
    <p className="account-note" role="status">
      {result ?? t('Your email address isn’t confirmed yet.')}{' '}
      {result === null && (
        <Button look="text" onClick={send}>
          {t('Resend link')}
        </Button>
      )}
    </p>
  )
}
