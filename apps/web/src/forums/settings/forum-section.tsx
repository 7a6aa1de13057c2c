import type { Forum, UpdateForum } from '@foyer/protocol/forums'
import { MAX_FORUM_GUIDELINES, MAX_FORUM_TEMPLATE } from '@foyer/protocol/limits'
import type { Room } from '@foyer/protocol/rooms'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { SaveBar } from '#src/ui/dialogs/save-bar.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { SwitchRow } from '#src/ui/fields/switch-row.tsx'
import { draftsOf, setTags, type TagDraft } from './tag-draft.ts'
import { TagsEditor } from './tags-editor.tsx'

const SORTS = [
  ['activity', t('Latest activity')],
  ['created', t('Newest')],
] as const

const LAYOUTS = [
  ['list', t('List')],
  ['gallery', t('Gallery')],
] as const

/** Fields that the user has edited. The form shows the forum as it is now for the others, so that changes of members appear. */
interface Typed extends Omit<UpdateForum, 'tags'> {
  readonly tags?: readonly TagDraft[]
}

/** The guidelines, tags and order of a forum. */
export function ForumSection({ room, forum }: { room: Room; forum: Forum }) {
  const { client, store } = useSession()
  const [typed, setTyped] = useState<Typed>({})
  const shown = { ...forum, ...typed }

  async function save() {
    const { tags, guidelines, template, ...others } = typed
    const body: UpdateForum = {
      ...others,
      ...(guidelines !== undefined && { guidelines: guidelines?.trim() || null }),
      ...(template !== undefined && { template: template?.trim() || null }),
      ...(tags !== undefined && { tags: setTags(tags) }),
    }
    store.adopt('ROOM_UPDATE', await client.rooms.update(room.space_id, room.id, { forum: body }))
    setTyped({})
  }

  return (
    <SubmitForm fields={['guidelines', 'template']} check={() => checkTags(typed.tags)} submit={save}>
      {(pending) => (
        <>
          <TextField
            name="guidelines"
            label={t('Guidelines')}
            hint={t('Shown above the posts.')}
            maxLength={MAX_FORUM_GUIDELINES}
            render={<textarea rows={4} />}
            value={shown.guidelines ?? ''}
            onValueChange={(guidelines) => setTyped({ ...typed, guidelines })}
          />
          <TextField
            name="template"
            label={t('Template')}
            hint={t('New posts start with this text.')}
            maxLength={MAX_FORUM_TEMPLATE}
            render={<textarea rows={4} />}
            value={shown.template ?? ''}
            onValueChange={(template) => setTyped({ ...typed, template })}
          />
          <TagsEditor
            drafts={typed.tags ?? draftsOf(forum.tags)}
            onChange={(tags) => setTyped({ ...typed, tags })}
          />
          <SwitchRow
            label={t('Posts need a tag')}
            checked={shown.requires_tag}
            onChange={(requires_tag) => setTyped({ ...typed, requires_tag })}
          />
          <SelectField
            name="sort"
            label={t('Sort by')}
            options={SORTS}
            value={shown.sort}
            onChange={(sort) => setTyped({ ...typed, sort: sort === 'created' ? sort : 'activity' })}
          />
          <SelectField
            name="layout"
            label={t('Layout')}
            options={LAYOUTS}
            value={shown.layout}
            onChange={(layout) => setTyped({ ...typed, layout: layout === 'gallery' ? layout : 'list' })}
          />
          <SaveBar isUnsaved={Object.keys(typed).length > 0} pending={pending} onReset={() => setTyped({})} />
        </>
      )}
    </SubmitForm>
  )
}

function checkTags(tags: readonly TagDraft[] = []) {
  return tags.some(({ name }) => name.trim() === '') ? { form: t('Give each tag a name.') } : {}
}
