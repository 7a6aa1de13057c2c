import type { Space } from '@foyer/protocol/spaces'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { ReportDialog } from './report-dialog.tsx'
import '../reporting.css'

interface ReportSpaceProps {
  space: Pick<Space, 'id' | 'name' | 'description' | 'icon'>
  /** Code of an invite, for a user who is not a member. */
  invite?: string
  onClose: () => void
}

/** Reports a space as a whole. */
export function ReportSpace({ space, invite, onClose }: ReportSpaceProps) {
  return (
    <ReportDialog
      title={t('Report {name}', { name: space.name })}
      spaceName={null}
      privacyNote={t('No one in {space} will be notified.', { space: space.name })}
      target={() => ({ space_id: space.id, ...(invite !== undefined && { invite }) })}
      author={null}
      onClose={onClose}
    >
      <div className="report-subject">
        <Avatar id={space.id} name={space.name} picture={space.icon} />
        <p>
          <strong>
            <bdi>{space.name}</bdi>
          </strong>
          {space.description !== null && (
            <span className="report-excerpt" dir="auto">
              {space.description}
            </span>
          )}
        </p>
      </div>
    </ReportDialog>
  )
}
