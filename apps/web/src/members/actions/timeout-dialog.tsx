import type { MemberWithUser } from '@foyer/protocol/members'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { serverNow } from '#src/ui/time/server-clock.ts'
import { ReasonField } from './reason-field.tsx'

interface TimeoutDialogProps {
  space: SpaceEntry
  member: MemberWithUser
  name: string
  onClose: () => void
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const durations = [
  [String(MINUTE), t('1 minute')],
  [String(5 * MINUTE), t('5 minutes')],
  [String(10 * MINUTE), t('10 minutes')],
  [String(HOUR), t('1 hour')],
  [String(DAY), t('1 day')],
  [String(7 * DAY), t('1 week')],
  // One minute less than the maximum, which the server would refuse if its clock were behind `serverNow()`.
  [String(28 * DAY - MINUTE), t('4 weeks')],
] as const

/** Times a member out. */
export function TimeoutDialog({ space, member, name, onClose }: TimeoutDialogProps) {
  const { client, store } = useSession()
  const [seconds, setSeconds] = useState(String(10 * MINUTE))

  async function timeOut({ reason = '' }: Values) {
    const until = new Date(serverNow() + Number(seconds) * 1000).toISOString()
    const body = { until, reason: reason.trim() || null }
    const timeout = await client.members.timeOut(space.id, member.id, body)
    const { user: _user, position: _position, ...plain } = member
    store.adopt('SPACE_MEMBER_UPDATE', { ...plain, timeout_until: timeout.until })
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Time out {name}?', { name })}
      description={t('They can read and listen, but not write, react or speak in {space}.', {
        space: space.name,
      })}
    >
      <SubmitForm fields={['reason']} submit={timeOut}>
        {(pending) => (
          <>
            <SelectField
              name="seconds"
              label={t('Duration')}
              options={durations}
              value={seconds}
              onChange={setSeconds}
            />
            <ReasonField
              reason={null}
              hint={t('Optional. The member and people who can time out members can see it.')}
            />
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="danger" pending={pending}>
                {t('Time out')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
