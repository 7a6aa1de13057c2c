import { MAX_AUTOMOD_SENTENCE_CHARACTERS } from '@foyer/protocol/limits'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import { t } from '#src/language/texts.ts'
import { roomLabel } from '#src/rooms/names/room-name.ts'
import { TextField } from '#src/ui/fields/field.tsx'
import { OptionCards } from '#src/ui/fields/option-cards.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { actionTexts } from '../rules/rule-texts.ts'
import { MAX_TIMEOUT_MINUTES } from './check-draft.ts'
import type { DraftProps } from './draft-fields.tsx'

const actions = [
  {
    value: 'refuse',
    label: actionTexts.refuse,
    description: t('The author sees why, and can change the text.'),
  },
  {
    value: 'hold',
    label: actionTexts.hold,
    description: t('No one sees the message until a moderator posts it. Names and edits are refused.'),
  },
] as const

/** The fields for the consequences of a rule. */
export function ConsequenceFields({ draft, onChange, rooms }: DraftProps & { rooms: readonly Room[] }) {
  const texts = rooms.filter(({ type }) => type === RoomType.Text)
  const isHidden = draft.alert_room_id !== '' && texts.every(({ id }) => id !== draft.alert_room_id)
  return (
    <>
      <OptionCards
        label={t('What happens')}
        options={actions}
        value={draft.action}
        onChange={(action) => onChange({ ...draft, action })}
      />
      <TextField
        name="message"
        label={t('Message to the author')}
        hint={t('Shown when something is refused. Leave empty for the default message.')}
        autoComplete="off"
        maxLength={MAX_AUTOMOD_SENTENCE_CHARACTERS}
        value={draft.message}
        onValueChange={(message) => onChange({ ...draft, message })}
      />
      <SelectField
        name="alert_room_id"
        label={t('Notify moderators in')}
        options={[
          ['', t('No room')],
          ...(isHidden ? [[draft.alert_room_id, t('Deleted or hidden room')] as const] : []),
          ...texts.map((room) => [room.id, roomLabel(room)] as const),
        ]}
        value={draft.alert_room_id}
        onChange={(alert_room_id) => onChange({ ...draft, alert_room_id })}
      />
      <TextField
        name="timeout_minutes"
        type="number"
        inputMode="numeric"
        label={t('Timeout in minutes')}
        hint={t('Leave empty for no timeout.')}
        min={1}
        max={MAX_TIMEOUT_MINUTES}
        value={draft.timeout_minutes}
        onValueChange={(timeout_minutes) => onChange({ ...draft, timeout_minutes })}
      />
    </>
  )
}
