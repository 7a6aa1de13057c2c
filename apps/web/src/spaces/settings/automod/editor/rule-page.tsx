import type { AutomodRule } from '@foyer/protocol/automod'
import { limits } from '@foyer/protocol/limits'
import { Automod } from '@foyer/sdk/api/automod'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { rolesFromTop } from '#src/permissions/rights.ts'
import { roleName } from '#src/roles/role-name.ts'
import { roomLabel } from '#src/rooms/names/room-name.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { useAttempt, useUnsavedChanges } from '#src/ui/dialogs/unsaved-changes.ts'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { useFocusedHeading } from '#src/ui/focus/use-focused-heading.ts'
import { useMessageRooms } from '#src/webhooks/use-message-rooms.ts'
import { automodWords } from '../automod-words.ts'
import { checkDraft } from './check-draft.ts'
import { ConfirmBroad } from './confirm-broad.tsx'
import { ConsequenceFields } from './consequence-fields.tsx'
import { ExemptField } from './exempt-field.tsx'
import { ModeField } from './mode-field.tsx'
import { bodyOf, changedFields, draftOf, newRuleDraft, tryBodyOf } from './rule-draft.ts'
import { TriggerFields } from './trigger-fields.tsx'
import { TryRule } from './try-rule.tsx'
import { useTurningOn } from './use-turning-on.ts'

interface RulePageProps {
  space: SpaceEntry
  /** Null for a new rule. */
  rule: AutomodRule | null
  onSaved: (rule: AutomodRule) => void
  onClose: () => void
}

/** Fields that errors of the server can belong to. */
const fields = ['name', 'words', 'allowed', 'hosts', 'content_types', 'sha256', 'message', 'timeout_minutes']

/** The editor of a rule, shown instead of the list. Only the edited fields are saved. */
export function RulePage({ space, rule, onSaved, onClose }: RulePageProps) {
  const { client } = useSession()
  const rooms = useMessageRooms(space.id)
  const [begun] = useState(() => (rule === null ? newRuleDraft : draftOf(rule)))
  const [draft, setDraft] = useState(begun)
  const turningOn = useTurningOn(space.id)
  const attempt = useAttempt()
  const changed = changedFields(bodyOf(begun), bodyOf(draft))
  useUnsavedChanges(Object.keys(changed).length > 0)

  async function save() {
    if (rule !== null && Object.keys(changed).length === 0) return onClose()
    onSaved(
      rule === null
        ? await client.api(Automod).createRule(space.id, bodyOf(draft))
        : await client.api(Automod).updateRule(space.id, rule.id, changed),
    )
  }

  return (
    <>
      <RulePageHeader title={rule === null ? t('New rule') : rule.name} onBack={() => attempt(onClose)} />
      <SubmitForm
        fields={fields}
        check={() => checkDraft(draft)}
        submit={() => turningOn.save(draft.mode, tryBodyOf(draft), save)}
        words={automodWords}
      >
        {(pending) => (
          <>
            <TextField
              name="name"
              label={t('Name')}
              autoComplete="off"
              maxLength={limits.nameMax}
              value={draft.name}
              onValueChange={(name) => setDraft({ ...draft, name })}
            />
            <TriggerFields draft={draft} onChange={setDraft} />
            <ConsequenceFields draft={draft} onChange={setDraft} rooms={rooms} />
            <div>
              <ExemptField
                label={t('Exempt roles')}
                options={rolesFromTop(space).map((role) => [role.id, roleName(role)])}
                chosen={draft.exempt_role_ids}
                onChange={(exempt_role_ids) => setDraft({ ...draft, exempt_role_ids })}
              />
              <ExemptField
                label={t('Exempt rooms')}
                options={rooms.map((room) => [room.id, roomLabel(room)])}
                chosen={draft.exempt_room_ids}
                onChange={(exempt_room_ids) => setDraft({ ...draft, exempt_room_ids })}
              />
            </div>
            <ModeField draft={draft} onChange={setDraft} />
            <TryRule
              spaceId={space.id}
              body={tryBodyOf(draft)}
              errors={checkDraft({ ...draft, name: '-' })}
            />
            <div className="form-actions">
              <Button onClick={() => attempt(onClose)}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {rule === null ? t('Add rule') : t('Save changes')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
      <ConfirmBroad broad={turningOn.broad} cancel={turningOn.cancel} />
    </>
  )
}

function RulePageHeader({ title, onBack }: { title: string; onBack: () => void }) {
  const heading = useFocusedHeading()
  return (
    <header className="role-header">
      <IconButton label={t('Back to AutoMod')} icon={<ArrowLeft />} onClick={onBack} />
      <h4 ref={heading} tabIndex={-1}>
        {title}
      </h4>
    </header>
  )
}
