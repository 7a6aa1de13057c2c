import { UserFlag } from '@foyer/protocol/user-flags'
import { Menu, Plus } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { codeOf } from '#src/auth/invite-code.ts'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { DoorMark } from '#src/ui/marks/wordmark.tsx'
import { CreateSpaceDialog } from './create-space-dialog.tsx'
import { RecentDestinations } from './recent-destinations.tsx'
import './home-page.css'

/** The start page: create a space, or join one by invite. */
export function HomePage({ openDrawer }: { openDrawer: (() => void) | null }) {
  const isNew = useAppState((state) => Object.keys(state.spaces).length === 0)
  const isServerAdmin = useAppState((state) => ((state.me?.flags ?? 0) & UserFlag.Staff) !== 0)
  const name = useAppState((state) => state.me?.alias ?? state.me?.username ?? '')
  const [creating, setCreating] = useState(false)
  return (
    <section className="page home">
      {openDrawer !== null && (
        <header className="page-header">
          <IconButton label={t('Open spaces and rooms')} icon={<Menu />} onClick={openDrawer} />
        </header>
      )}
      <div className="home-inner">
        <DoorMark />
        <h1>{isNew ? t('Welcome, {name}', { name }) : t('Where to next?')}</h1>
        <RecentDestinations />
        <p>{isNew ? introduction(isServerAdmin) : t('Create a space or join one with an invite link.')}</p>
        <Button look="primary" onClick={() => setCreating(true)}>
          <Plus aria-hidden="true" /> {t('Create a space')}
        </Button>
        <p className="home-or">{t('or')}</p>
        <PasteInvite />
      </div>
      {creating && <CreateSpaceDialog onClose={() => setCreating(false)} />}
    </section>
  )
}

function introduction(isServerAdmin: boolean): string {
  return isServerAdmin
    ? t('Your server is ready. Start by creating a space – a home for your group – and invite people.')
    : t('Create your first space or paste an invite link.')
}

function PasteInvite() {
  const [, navigate] = useLocation()
  const check = ({ invite = '' }: Values) =>
    codeOf(invite) === null ? { invite: t('Paste a link like …/invite/abc123, or just the code.') } : {}

  async function open({ invite = '' }: Values) {
    navigate(`/invite/${codeOf(invite)}`)
  }

  return (
    <SubmitForm fields={['invite']} check={check} submit={open}>
      {(pending) => (
        <div className="field-and-button">
          <TextField
            name="invite"
            label={t('Invite link')}
            autoComplete="off"
            placeholder="https://…/invite/…"
          />
          <Button type="submit" pending={pending}>
            {t('Open invite')}
          </Button>
        </div>
      )}
    </SubmitForm>
  )
}
