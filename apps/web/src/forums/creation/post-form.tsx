import type { Forum, ForumTag } from '@foyer/protocol/forums'
import { limits, MAX_THREAD_TITLE_CHARACTERS } from '@foyer/protocol/limits'
import type { Room } from '@foyer/protocol/rooms'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { checkFiles } from '#src/attachments/transfer/file-check.ts'
import { checkGiven } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import { useRoomPermissions } from '#src/permissions/use-permissions.ts'
import { useSession } from '#src/session/context.ts'
import { threadPath } from '#src/thread-rooms/list/thread-path.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { TagChoice } from '../tags/tag-choice.tsx'
import { createPost } from './create-post.ts'
import './post-form.css'
import { SimilarPosts } from './similar-posts.tsx'

interface PostFormProps {
  room: Room
  forum: Forum
  onCancel: () => void
}

/** Title, tags, text and pictures of a new post. */
export function PostForm({ room, forum, onCancel }: PostFormProps) {
  const session = useSession()
  const [, navigate] = useLocation()
  const rights = useRoomPermissions(room.id)
  const [title, setTitle] = useState('')
  const [tags, setTags] = useState<readonly string[]>([])
  const [files, setFiles] = useState<readonly File[]>([])
  const isLocked = (tag: ForumTag) => tag.is_moderated && !rights.may('ManageThreads')

  async function submit({ content = '' }: Values) {
    const body = { title: title.trim(), content: content.trim(), tags: [...tags] }
    navigate(threadPath(await createPost(session, room.id, body, files)))
  }

  return (
    <section className="forum-form" aria-label={t('New post')}>
      <SubmitForm
        fields={['title', 'content', 'files']}
        check={(values) => ({
          ...checkGiven(values, 'title', t('Enter a title.')),
          ...(files.length === 0 &&
            checkGiven(values, 'content', t('Write something, or choose a picture.'))),
        })}
        submit={submit}
        beginsHere
      >
        {(pending) => (
          <>
            <TextField
              name="title"
              label={t('Title')}
              autoComplete="off"
              maxLength={MAX_THREAD_TITLE_CHARACTERS}
              value={title}
              onValueChange={setTitle}
            />
            <SimilarPosts forumId={room.id} title={title} />
            <TagChoice
              label={t('Tags')}
              hint={forum.requires_tag ? t('A post here needs at least one tag.') : undefined}
              tags={forum.tags}
              chosen={tags}
              isLocked={isLocked}
              onChange={setTags}
            />
            <TextField
              name="content"
              label={t('Text')}
              maxLength={limits.messageMax}
              defaultValue={forum.template ?? ''}
              render={<textarea rows={6} />}
            />
            {rights.may('AttachFiles') && <PicturesField files={files} onChange={setFiles} />}
            <div className="form-actions">
              <Button onClick={onCancel}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {t('Post')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </section>
  )
}

interface PicturesFieldProps {
  files: readonly File[]
  onChange: (files: readonly File[]) => void
}

function PicturesField({ files, onChange }: PicturesFieldProps) {
  const [error, setError] = useState<string | null>(null)

  function choose(chosen: readonly File[]) {
    const { accepted, refusals } = checkFiles(chosen, 0)
    setError(refusals.length === 0 ? null : refusals.join(' '))
    onChange(accepted)
  }

  return (
    <label className="field">
      <span className="field-label">{t('Pictures (optional)')}</span>
      <input
        type="file"
        accept="image/*"
        multiple
        className="field-control"
        onChange={(event) => choose([...(event.target.files ?? [])])}
      />
      {files.length > 0 && <span className="field-hint">{files.map(({ name }) => name).join(', ')}</span>}
      <span role="alert" className="field-error" hidden={error === null}>
        {error}
      </span>
    </label>
  )
}
