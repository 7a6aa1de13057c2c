import { useEffect, useRef, useState } from 'react'
import { useSession } from '#src/session/context.ts'
import { CopyRow } from '#src/ui/copy-row.tsx'
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
          <CopyRow label="Invite link" action="Copy link" value={link.value} placeholder="Making a link…" />
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
