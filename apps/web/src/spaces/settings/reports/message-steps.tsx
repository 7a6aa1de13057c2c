import { Permission } from '@foyer/protocol/permissions'
import type { Report } from '@foyer/protocol/reports'
import { ApiError } from '@foyer/sdk/rest'
import { type RefObject, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useRoomPermissions } from '#src/permissions/use-permissions.ts'
import { messagePath } from '#src/search/message-path.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { PageLink } from '#src/ui/buttons/page-link.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'

interface MessageStepsProps {
  report: Report
  /** Id of the element that names the report. */
  titleId: string
  /** Closes the settings. */
  onLeave: () => void
  focusAfter: RefObject<HTMLElement | null>
}

/** A link to the reported message, and a button to delete it if the viewer may. */
export function MessageSteps({ report, titleId, onLeave, focusAfter }: MessageStepsProps) {
  const { client } = useSession()
  const { place, target_id } = report
  const roomId = place?.room_id ?? ''
  const isThere = useAppState((state) => roomId in state.rooms)
  const rights = useRoomPermissions(roomId)
  const [isDeleting, setIsDeleting] = useState(false)
  const [isDeleted, setIsDeleted] = useState(false)
  if (place === null || !isThere || isDeleted) return null

  async function remove() {
    await client.messages.delete(roomId, target_id).catch(ignoreMissing)
    setIsDeleted(true)
  }

  return (
    <>
      <PageLink
        href={messagePath({ ...place, id: target_id })}
        className="button button-quiet"
        onClick={onLeave}
      >
        {t('Go to message')}
      </PageLink>
      {rights.may(Permission.ManageMessages) && (
        <Button aria-describedby={titleId} onClick={() => setIsDeleting(true)}>
          {t('Delete message…')}
        </Button>
      )}
      {isDeleting && (
        <Confirm
          open
          onOpenChange={() => setIsDeleting(false)}
          title={t('Delete this message?')}
          action={t('Delete message')}
          run={remove}
          focusAfter={focusAfter}
        >
          <p>{t('This deletes it for everyone and can’t be undone. The copy in the report stays.')}</p>
        </Confirm>
      )}
    </>
  )
}

/** Ignores that the message is gone: another moderator may have deleted it first. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'unknown_message')) throw error
}
