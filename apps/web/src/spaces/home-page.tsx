import { Menu, Plus } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { codeOf } from '#src/invites/invite-link.ts'
import { useAppState } from '#src/session/context.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { SubmitForm, type Values } from '#src/ui/submit-form.tsx'
import { DoorMark } from '#src/ui/wordmark.tsx'
import { CreateSpaceDialog } from './create-space-dialog.tsx'
import './home-page.css'

/** Where one starts: a space of one's own, or an invitation to another's. */
export function HomePage({ openDrawer }: { openDrawer: (() => void) | null }) {
  const isNew = useAppState((state) => Object.keys(state.spaces).length === 0)
  const name = useAppState((state) => state.me?.alias ?? state.me?.username ?? '')
  const [creating, setCreating] = useState(false)
  return (
    <section className="page home">
      {openDrawer !== null && (
        <header className="page-header">
          <IconButton label="Open spaces and rooms" icon={<Menu />} onClick={openDrawer} />
        </header>
      )}
      <div className="home-inner">
        <DoorMark />
        <h1>{isNew ? `Come in, ${name}` : 'Where to next?'}</h1>
        <p>
          {isNew ? 'Create your first space or paste an invite link.' : 'Create another space or join one.'}
        </p>
        <Button look="primary" onClick={() => setCreating(true)}>
          <Plus aria-hidden="true" /> Create a space
        </Button>
        <p className="home-or">or</p>
        <PasteInvite />
      </div>
      {creating && <CreateSpaceDialog onClose={() => setCreating(false)} />}
    </section>
  )
}

function PasteInvite() {
  const [, navigate] = useLocation()
  const check = ({ invite = '' }: Values) =>
    codeOf(invite) === null ? { invite: 'Paste a link like …/invite/abc123, or the code at its end.' } : {}

  async function open({ invite = '' }: Values) {
    navigate(`/invite/${codeOf(invite)}`)
  }

  return (
    <SubmitForm fields={['invite']} check={check} submit={open}>
      {(pending) => (
        <div className="field-and-button">
          <TextField name="invite" label="Invite link" autoComplete="off" placeholder="https://…/invite/…" />
          <Button type="submit" pending={pending}>
            Open invite
          </Button>
        </div>
      )}
    </SubmitForm>
  )
}
