import type { Forum, ForumTag } from '@foyer/protocol/forums'
import { limits, MAX_BODY_BYTES, MAX_THREAD_TITLE_CHARACTERS } from '@foyer/protocol/limits'
import type { Room } from '@foyer/protocol/rooms'
import { ApiError } from '@foyer/sdk/rest'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { checkFiles } from '#src/attachments/transfer/file-check.ts'
import { formatSize } from '#src/attachments/transfer/size.ts'
import { checkGiven } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import { useRoomPermissions } from '#src/permissions/use-permissions.ts'
import { useSession } from '#src/session/context.ts'
import { threadPath } from '#src/thread-rooms/list/thread-path.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { presentTags } from '../tags/present-tags.ts'
import { TagChoice } from '../tags/tag-choice.tsx'
import { useIsShown } from '../use-is-shown.ts'
import { createPost } from './create-post.ts'
import { dropPostDraft, findPostDraft, keepPostDraft, type PostDraft } from './post-draft.ts'
import './post-form.css'
import { SimilarPosts } from './similar-posts.tsx'

interface PostFormProps {
  room: Room
  forum: Forum
  onCancel: () => void
  /** The post is made, and its text waits for a moderator: sent again, it would be there twice. */
  onHeld: () => void
}

/** Title, tags, text and pictures of a new post. */
export function PostForm({ room, forum, onCancel, onHeld }: PostFormProps) {
  const session = useSession()
  const [, navigate] = useLocation()
  const rights = useRoomPermissions(room.id)
  const [draft, setDraft] = useState<PostDraft>(
    () => findPostDraft(session, room.id) ?? { title: '', content: forum.template ?? '', tags: [] },
  )
  const { title } = draft
  const tags = presentTags(forum, draft.tags)
  const [files, setFiles] = useState<readonly File[]>([])
  const isLocked = (tag: ForumTag) => tag.is_moderated && !rights.may('ManageThreads')

  const isShown = useIsShown()

  function change(changed: Partial<PostDraft>) {
    const next = { ...draft, ...changed }
    keepPostDraft(session, room.id, next)
    setDraft(next)
  }

  function cancel() {
    dropPostDraft(session, room.id)
    onCancel()
  }

  async function submit() {
    const body = { title: title.trim(), content: draft.content.trim(), tags }
    const post = await createPost(session, room.id, body, files).catch(heldOrThrow)
    dropPostDraft(session, room.id)
    // A user who reads something else by now stays there.
    if (!isShown()) return
    if (post === 'held') onHeld()
    else navigate(threadPath(post))
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
              onValueChange={(value) => change({ title: value })}
            />
            <SimilarPosts forumId={room.id} title={title} />
            <TagChoice
              label={t('Tags')}
              hint={forum.requires_tag ? t('A post here needs at least one tag.') : undefined}
              tags={forum.tags}
              chosen={tags}
              isLocked={isLocked}
              onChange={(chosen) => change({ tags: chosen })}
            />
            <TextField
              name="content"
              label={t('Text')}
              maxLength={limits.messageMax}
              value={draft.content}
              onValueChange={(content) => change({ content })}
              render={<textarea rows={6} />}
            />
            {rights.may('AttachFiles') && <PicturesField files={files} onChange={setFiles} />}
            <div className="form-actions">
              <Button onClick={cancel}>{t('Cancel')}</Button>
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

function heldOrThrow(error: unknown): 'held' {
  if (error instanceof ApiError && error.code === 'held_for_review') return 'held'
  throw error
}

/** All pictures go in the request of the post, beside its other fields. */
const MAX_PICTURES_BYTES = MAX_BODY_BYTES - 1024 * 1024

interface PicturesFieldProps {
  files: readonly File[]
  onChange: (files: readonly File[]) => void
}

function PicturesField({ files, onChange }: PicturesFieldProps) {
  const [error, setError] = useState<string | null>(null)

  function choose(chosen: readonly File[]) {
    const { accepted, refusals } = checkFiles(chosen, files.length)
    const all = [...files, ...accepted]
    const isTooLarge = all.reduce((sum, { size }) => sum + size, 0) > MAX_PICTURES_BYTES
    const tooLarge = t('The pictures of a post can have up to {size} together.', {
      size: formatSize(MAX_PICTURES_BYTES),
    })
    setError([...refusals, ...(isTooLarge ? [tooLarge] : [])].join(' ') || null)
    if (!isTooLarge) onChange(all)
  }

  return (
    <div className="field">
      <label className="field">
        <span className="field-label">{t('Pictures (optional)')}</span>
        <input
          type="file"
          accept="image/*"
          multiple
          className="field-control"
          onChange={(event) => {
            choose([...(event.target.files ?? [])])
            // Allows to choose a removed picture again.
            event.target.value = ''
          }}
        />
      </label>
      {files.map((file) => (
        <span key={`${file.name} ${file.size} ${file.lastModified}`} className="field-hint">
          <bdi>{file.name}</bdi>{' '}
          <Button onClick={() => onChange(files.filter((other) => other !== file))}>
            {t('Remove {name}', { name: file.name })}
          </Button>
        </span>
      ))}
      <span role="alert" className="field-error" hidden={error === null}>
        {error}
      </span>
    </div>
  )
}
