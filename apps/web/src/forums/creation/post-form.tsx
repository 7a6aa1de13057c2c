import type { Forum, ForumTag } from '@foyer/protocol/forums'
import { limits, MAX_THREAD_TITLE_CHARACTERS } from '@foyer/protocol/limits'
import type { Room } from '@foyer/protocol/rooms'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { FileUpload } from '#src/attachments/transfer/upload-state.ts'
import { useDraftUploads } from '#src/attachments/uploads/use-uploads.ts'
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
import { createPost, takeFiles } from './create-post.ts'
import { dropPostDraft, findPostDraft, keepPostDraft, type PostDraft } from './post-draft.ts'
import './post-form.css'
import { PostPictures } from './post-pictures.tsx'
import { SimilarPosts } from './similar-posts.tsx'

interface PostFormProps {
  room: Room
  forum: Forum
  onCancel: () => void
  /** The post waits for a moderator: sent again, it would be there twice. */
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
  /** The key of its files, while the post is on its way. */
  const [filesKey, setFilesKey] = useState<string | null>(null)
  const uploads = useDraftUploads(filesKey ?? room.id)
  const isLocked = (tag: ForumTag) => tag.is_moderated && !rights.may('ManageThreads')

  const isShown = useIsShown()

  function change(changed: Partial<PostDraft>) {
    const next = { ...draft, ...changed }
    keepPostDraft(session, room.id, next)
    setDraft(next)
  }

  function cancel() {
    dropPostDraft(session, room.id)
    session.uploads.discard(uploads.map(({ id }) => id))
    onCancel()
  }

  /** A post that the user has begun since then stays. */
  function restore() {
    if (findPostDraft(session, room.id) === undefined) keepPostDraft(session, room.id, draft)
  }

  async function submit() {
    const body = { title: title.trim(), content: draft.content.trim(), tags }
    // A user who comes back while it is on its way must not send it twice.
    dropPostDraft(session, room.id)
    const key = takeFiles(session, room.id)
    setFilesKey(key)
    const post = await createPost(session, { forumId: room.id, filesKey: key, body })
      .catch((error) => {
        restore()
        throw error
      })
      .finally(() => setFilesKey(null))
    // The tile of the file says why.
    if (post === 'without file') return restore()
    // A user who reads something else by now stays there.
    if (!isShown()) return
    if (post === 'held') onHeld()
    else navigate(threadPath(post))
  }

  return (
    <section className="forum-form" aria-label={t('New post')}>
      <SubmitForm
        fields={['title', 'content']}
        check={(values) => ({
          ...checkGiven(values, 'title', t('Enter a title.')),
          ...(uploads.some(isRefused) && { form: t('A file couldn’t be uploaded. Retry or remove it.') }),
          ...(uploads.length === 0 &&
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
            {rights.may('AttachFiles') && (
              <PostPictures
                forumId={room.id}
                filesKey={filesKey ?? room.id}
                may={rights.may}
                isDisabled={pending}
                onAdd={() => change({})}
              />
            )}
            <p role="status" className="field-hint" hidden={!isWaiting(pending, uploads)}>
              {isWaiting(pending, uploads) && t('We’ll post it when the pictures are uploaded.')}
            </p>
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

function isRefused({ progress }: FileUpload): boolean {
  return progress.kind === 'swept' || (progress.kind === 'failed' && !progress.lost)
}

function isWaiting(pending: boolean, uploads: readonly FileUpload[]): boolean {
  return pending && uploads.some(({ progress }) => progress.kind !== 'stored')
}
