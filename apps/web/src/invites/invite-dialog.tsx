import { Check, Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/button.tsx'
import { copyText } from '#src/ui/clipboard.ts'
import { errorMessage } from '#src/ui/form-errors.ts'
import { Modal } from '#src/ui/modal.tsx'
import './invite-dialog.css'
import { inviteLink, isLocalAddress } from './invite-link.ts'

interface InviteDialogProps {
  spaceId: string
  spaceName: string
  roomId: string
  roomName: string
  onClose: () => void
}

/** Makes an invite link as it opens, and hands it out. */
export function InviteDialog({ spaceId, spaceName, roomId, roomName, onClose }: InviteDialogProps) {
  const link = useNewInvite(spaceId, roomId)
  return (
    <Modal
      open
      onOpenChange={onClose}
      title={`Invite people to ${spaceName}`}
      description={`Whoever has this link can join and lands in #${roomName}. It works until somebody revokes it.`}
    >
      {link.error === null ? (
        <>
          <CopyRow value={link.value} />
          {isLocalAddress(window.location.hostname) && (
            <p className="copy-note">
              This address works on this computer alone. For people elsewhere, start Foyer with{' '}
              <code>HOST=0.0.0.0</code>, or behind a proxy, and invite them from an address they can reach.
            </p>
          )}
        </>
      ) : (
        <p role="alert" className="form-error">
          {link.error}
        </p>
      )}
    </Modal>
  )
}

function CopyRow({ value }: { value: string }) {
  const input = useRef<HTMLInputElement>(null)
  const [copied, setCopied] = useState(false)

  // The dialog begins in this field, before there is a link in it.
  useEffect(() => {
    if (value !== '' && document.activeElement === input.current) input.current?.select()
  }, [value])

  async function copy() {
    // Stays selected for the keyboard's own copy, should the clipboard be withheld.
    input.current?.select()
    setCopied(await copyText(value))
  }

  return (
    <div className="copy-row">
      <input
        ref={input}
        className="field-control"
        aria-label="Invite link"
        readOnly
        value={value}
        placeholder="Making a link…"
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button look="primary" disabled={value === ''} onClick={() => void copy()}>
        {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
        {copied ? 'Copied' : 'Copy link'}
      </Button>
      <span role="status" className="visually-hidden">
        {copied ? 'The link is copied.' : ''}
      </span>
    </div>
  )
}

function useNewInvite(spaceId: string, roomId: string): { value: string; error: string | null } {
  const { client } = useSession()
  const [link, setLink] = useState<{ value: string; error: string | null }>({ value: '', error: null })
  const begun = useRef(false)

  useEffect(() => {
    // Effects may run twice; one invite is enough.
    if (begun.current) return
    begun.current = true
    client.invites.create(spaceId, roomId).then(
      (invite) => setLink({ value: inviteLink(invite.code), error: null }),
      (error) => setLink({ value: '', error: errorMessage(error) }),
    )
  }, [client, spaceId, roomId])

  return link
}
