import type { Announcement, AnnouncementKind } from '@foyer/protocol/announcements'
import { MAX_ANNOUNCEMENT_CHARACTERS, MAX_ANNOUNCEMENT_DAYS } from '@foyer/protocol/limits'
import { Announcements } from '@foyer/sdk/api/announcements'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'
import { OptionCards } from '#src/ui/fields/option-cards.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { serverNow } from '#src/ui/time/server-clock.ts'
import { operatorWords } from '../words.ts'
import { fromLocalField, toLocalField } from './local-times.ts'

interface AnnouncementFormProps {
  /** Null to write a new announcement. */
  announcement: Announcement | null
  onSaved: () => void
  onClose: () => void
}

const DAY_MS = 86_400_000

const kinds: readonly { value: AnnouncementKind; label: string; description: string }[] = [
  { value: 'info', label: t('Information'), description: t('e.g. news or planned maintenance') },
  { value: 'warning', label: t('Warning'), description: t('For problems that people should know about.') },
]

/** Writes or changes an announcement. Times that were not changed are not sent: the fields round them to minutes. */
export function AnnouncementForm({ announcement, onSaved, onClose }: AnnouncementFormProps) {
  const { client } = useSession()
  const [kind, setKind] = useState(announcement?.kind ?? 'info')
  const [initial] = useState(() => fieldsOf(announcement))

  async function save({ text = '', starts_at = '', ends_at = '' }: Values) {
    const end = fromLocalField(ends_at)
    if (end === null) return
    const calls = client.api(Announcements)
    const start = { starts_at: fromLocalField(starts_at) }
    if (announcement === null) await calls.create({ kind, text, ...start, ends_at: end })
    else
      await calls.update(announcement.id, {
        kind,
        text,
        ...(starts_at !== initial.starts_at && start),
        ...(ends_at !== initial.ends_at && { ends_at: end }),
      })
    onSaved()
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={announcement === null ? t('Write an announcement') : t('Edit the announcement')}
      description={t('It’s shown as plain text. Links can be clicked.')}
    >
      <SubmitForm fields={['text', 'starts_at', 'ends_at']} check={check} submit={save} words={operatorWords}>
        {(pending) => (
          <>
            <TextField
              name="text"
              label={t('Text')}
              autoComplete="off"
              maxLength={MAX_ANNOUNCEMENT_CHARACTERS}
              render={<textarea rows={4} />}
              defaultValue={initial.text}
            />
            <OptionCards label={t('Kind')} options={kinds} value={kind} onChange={setKind} />
            <TextField
              name="starts_at"
              type="datetime-local"
              label={t('Starts')}
              hint={t('Leave empty to show it right away.')}
              defaultValue={initial.starts_at}
            />
            <TextField
              name="ends_at"
              type="datetime-local"
              label={t('Ends')}
              hint={t('Within {max} days of the start.', { max: MAX_ANNOUNCEMENT_DAYS })}
              defaultValue={initial.ends_at}
            />
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {announcement === null ? t('Publish') : t('Save')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}

function fieldsOf(announcement: Announcement | null) {
  if (announcement === null)
    return { text: '', starts_at: '', ends_at: toLocalField(new Date(serverNow() + DAY_MS).toISOString()) }
  const { text, starts_at, ends_at } = announcement
  return { text, starts_at: toLocalField(starts_at), ends_at: toLocalField(ends_at) }
}

function check({ text = '', starts_at = '', ends_at = '' }: Values): FormErrors {
  const [start, end] = [fromLocalField(starts_at), fromLocalField(ends_at)]
  if (text.trim() === '') return { text: t('Write what you want to announce.') }
  if (end === null) return { ends_at: t('Choose when it ends.') }
  const begin = start === null ? serverNow() : Date.parse(start)
  if (Date.parse(end) <= Math.max(begin, serverNow()))
    return { ends_at: t('The end must be in the future, and after the start.') }
  if (Date.parse(end) - begin > MAX_ANNOUNCEMENT_DAYS * DAY_MS)
    return { ends_at: t('Choose an end within {max} days of the start.', { max: MAX_ANNOUNCEMENT_DAYS }) }
  return {}
}
