import type { Forum, ForumTag } from '@foyer/protocol/forums'
import { limits, MAX_THREAD_TITLE_CHARACTERS } from '@foyer/protocol/limits'
import type { Room } from '@foyer/protocol/rooms'
import type { FileUpload } from '#src/attachments/transfer/upload-state.ts'
import { OnWebLine } from '#src/channels/pane/on-web-line.tsx'
import { t } from '#src/language/texts.ts'
import { useRoomPermissions } from '#src/permissions/use-permissions.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { presentTags } from '../tags/present-tags.ts'
import { TagChoice } from '../tags/tag-choice.tsx'
import './post-form.css'
import { PostPictures } from './post-pictures.tsx'
import { SimilarPosts } from './similar-posts.tsx'
import { checkPost, usePost } from './use-post.ts'

interface PostFormProps {
  room: Room
  forum: Forum
  onCancel: () => void
  /** Called when the post is held for review. It must not be sent again, or there would be two posts. */
  onHeld: () => void
}

/** Title, tags, text and pictures of a new post. */
export function PostForm({ room, forum, onCancel, onHeld }: PostFormProps) {
  const rights = useRoomPermissions(room.id)
  const post = usePost({ forumId: room.id, forum, onCancel, onHeld })
  const { draft, uploads, isFinal, change } = post
  const tags = presentTags(forum, draft.tags)
  const isLocked = (tag: ForumTag) => isFinal || (tag.is_moderated && !rights.may('ManageThreads'))

  return (
    <section className="forum-form" aria-label={t('New post')}>
      <SubmitForm
        fields={['title', 'content']}
        check={(values) => checkPost(values, uploads)}
        submit={post.submit}
        beginsHere
      >
        {(pending) => (
          <>
            <TextField
              name="title"
              label={t('Title')}
              autoComplete="off"
              maxLength={MAX_THREAD_TITLE_CHARACTERS}
              value={draft.title}
              readOnly={isFinal}
              onValueChange={(value) => change({ title: value })}
            />
            <SimilarPosts forumId={room.id} title={draft.title} />
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
              readOnly={isFinal}
              onValueChange={(content) => change({ content })}
              render={<textarea rows={6} />}
            />
            {rights.may('AttachFiles') && (
              <PostPictures
                forumId={room.id}
                filesKey={post.filesKey}
                may={rights.may}
                isDisabled={isFinal}
                onAdd={() => change({})}
              />
            )}
            <WaitingHint isShown={isWaiting(pending, uploads)} />
            <OnWebLine />
            <div className="form-actions">
              <Button disabled={isFinal} onClick={post.cancel}>
                {t('Cancel')}
              </Button>
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

function WaitingHint({ isShown }: { isShown: boolean }) {
  return (
    <p role="status" className="field-hint" hidden={!isShown}>
      {isShown && t('We’ll publish your post when the pictures are uploaded.')}
    </p>
  )
}

function isWaiting(pending: boolean, uploads: readonly FileUpload[]): boolean {
  return pending && uploads.some(({ progress }) => progress.kind !== 'stored')
}
