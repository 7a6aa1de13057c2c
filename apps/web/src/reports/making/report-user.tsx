import type { User } from '@foyer/protocol/users'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { personName } from '#src/store/users.ts'
import { ReportDialog } from './report-dialog.tsx'
import '../reporting.css'

/** Reports a user's account: their name, their pictures, or their behavior in many channels. */
export function ReportUser({ user, onClose }: { user: User; onClose: () => void }) {
  const name = personName(user)
  return (
    <ReportDialog
      title={t('Report {name}', { name })}
      spaceName={null}
      privacyNote={t('{name} won’t be notified.', { name })}
      target={() => ({ user_id: user.id })}
      author={user}
      onClose={onClose}
    >
      <div className="report-subject">
        <Avatar id={user.id} name={name} picture={user.avatar} />
        <p>
          <strong>
            <bdi>{name}</bdi>
          </strong>
          <br />
          <small>
            <bdi>@{user.username}</bdi>
          </small>
        </p>
      </div>
    </ReportDialog>
  )
}
