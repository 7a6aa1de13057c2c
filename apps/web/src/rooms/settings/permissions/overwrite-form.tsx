import { has, OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import type { RightName } from '@foyer/protocol/rights'
import { isSameOverwrite } from '@foyer/protocol/rights'
import type { Room } from '@foyer/protocol/rooms'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { overwritesOf } from '#src/permissions/rights.ts'
import { useRoomPermissions } from '#src/permissions/use-permissions.ts'
import { PermissionGroups } from '#src/roles/role-permissions.tsx'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { SaveBar } from '#src/ui/dialogs/save-bar.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { inheritedText } from '../reasons.ts'
import { countsIn } from '../space-wide.ts'
import {
  choiceOf,
  choicesFor,
  emptyDraft,
  noFlags,
  type OverwriteDraft,
  withDraft,
} from './overwrite-draft.ts'
import { PermissionChoice } from './permission-choice.tsx'
import { RemoveOverwrite } from './remove-overwrite.tsx'
import { explainInherited, rightsAfter, roleNamesIn, type Target } from './target.ts'

interface OverwriteFormProps {
  space: SpaceEntry
  room: Room
  target: Target
  name: string
  /** Roles of a member; undefined until they are loaded. */
  heldRoles: readonly string[] | undefined
}

/** The overwrite of a role or member. All its permissions are saved together. */
export function OverwriteForm({ space, room, target, name, heldRoles }: OverwriteFormProps) {
  const { client, store } = useSession()
  const rights = useRoomPermissions(room.id)
  const [draft, setDraft] = useState<OverwriteDraft>(emptyDraft)
  const overwrite = overwritesOf(space, room.id).find(({ target_id }) => target_id === target.id)
  const saved = overwrite ?? noFlags
  const flags = withDraft(saved, draft)
  const isUnsaved = !isSameOverwrite(saved, flags)
  const isKnown = target.type === OverwriteTarget.Role || heldRoles !== undefined
  const inherited = explainInherited(space, room.id, { target, heldRoles })
  const roleNames = roleNamesIn(space)
  // A flag without effect is shown only if it is set, to let the user clear it.
  const isShown = (right: RightName) => countsIn(room.type, right) || choiceOf(saved, right) !== 'inherit'

  async function save() {
    const body = { target_id: target.id, target_type: target.type, ...flags }
    const answer = await client.overwrites.upsert(space.id, room.id, body)
    store.adopt('ROOM_OVERWRITE_UPDATE', { space_id: space.id, ...answer })
    setDraft(emptyDraft)
  }

  return (
    <>
      <SubmitForm fields={[]} submit={save}>
        {(pending) => (
          <>
            <PermissionGroups shows={isShown}>
              {(text) => (
                <PermissionChoice
                  text={text}
                  isOfRoom={countsIn(room.type, text.name)}
                  choice={choiceOf(flags, text.name)}
                  choices={choicesFor(saved, text.name, rights.flags)}
                  inherited={isKnown ? inheritedText(inherited(text.name), roleNames) : ''}
                  onChoose={(choice) => setDraft({ ...draft, [text.name]: choice })}
                />
              )}
            </PermissionGroups>
            <div className="permissions-end">
              {isUnsaved && <Warning remains={rightsAfter(space, room.id, { target, flags })} />}
              <SaveBar isUnsaved={isUnsaved} pending={pending} onReset={() => setDraft(emptyDraft)} />
            </div>
          </>
        )}
      </SubmitForm>
      {overwrite !== undefined && !isUnsaved && (
        <RemoveOverwrite space={space} overwrite={overwrite} name={name} />
      )}
    </>
  )
}

/** Warns users whose change would end their own access to the room, because they could not undo it. */
function Warning({ remains }: { remains: number }) {
  const mayView = has(remains, Permission.ViewChannels)
  if (mayView && has(remains, Permission.ManageChannels)) return null
  return (
    <p className="settings-why" role="status">
      {mayView
        ? t('After saving, you won’t be able to manage this room.')
        : t('After saving, you won’t be able to see this room.')}
    </p>
  )
}
