import type { Forum } from '@foyer/protocol/forums'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { FileUpload } from '#src/attachments/transfer/upload-state.ts'
import { useDraftUploads } from '#src/attachments/uploads/use-uploads.ts'
import { checkGiven } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { Session } from '#src/session/session.ts'
import { threadPath } from '#src/thread-rooms/list/thread-path.ts'
import { type FormErrors, InvalidForm } from '#src/ui/fields/form-errors.ts'
import { presentTags } from '../tags/present-tags.ts'
import { useIsShown } from '../use-is-shown.ts'
import { createPost, takeFiles } from './create-post.ts'
import { dropPostDraft, findPostDraft, keepPostDraft, type PostDraft } from './post-draft.ts'

interface PostOptions {
  readonly forumId: string
  readonly forum: Forum
  readonly onCancel: () => void
  /** Called when the post is held for review. It must not be sent again, or there would be two posts. */
  readonly onHeld: () => void
}

/** A post that is being sent. */
interface Way {
  /** The key of its files. */
  readonly filesKey: string
  readonly cancelling: AbortController
  /** True once the files are stored. The post can then no longer be changed or cancelled. */
  readonly isFinal: boolean
}

/** The post being written or sent. It can be changed and cancelled until its files are stored. */
export function usePost({ forumId, forum, onCancel, onHeld }: PostOptions) {
  const session = useSession()
  const [, navigate] = useLocation()
  const isShown = useIsShown()
  const { way, onWay, go } = useWay()
  const { draft, latest, change, restore } = usePostDraft(forumId, forum, onWay)
  const filesKey = way?.filesKey ?? forumId
  const uploads = useDraftUploads(filesKey)

  function cancel() {
    if (onWay.current?.isFinal) return
    onWay.current?.cancelling.abort()
    dropPostDraft(session, forumId)
    session.uploads.discard(uploads.map(({ id }) => id))
    onCancel()
  }

  async function submit() {
    dropPostDraft(session, forumId)
    const cancelling = new AbortController()
    const sent = { filesKey: takeFiles(session, forumId), cancelling, isFinal: false }
    go(sent)
    const finish = () => {
      const body = completePost(session, { forumId, forum, filesKey: sent.filesKey, draft: latest.current })
      go({ ...sent, isFinal: true })
      return body
    }
    const sending = { forumId, filesKey: sent.filesKey, finish, cancelled: cancelling.signal }
    const post = await createPost(session, sending)
      .catch((error) => {
        restore()
        throw error
      })
      .finally(() => go(null))
    if (post === 'cancelled') return
    // The tile of the file shows the error.
    if (post === 'without file') return restore()
    // If the user has left the form since, they stay where they are.
    if (!isShown()) return
    if (post === 'held') onHeld()
    else navigate(threadPath(post))
  }

  return { draft, uploads, filesKey, isFinal: way?.isFinal === true, change, cancel, submit }
}

/** The post that is being sent, as state for rendering and as a ref that is up to date before the next render. */
function useWay() {
  const [way, setWay] = useState<Way | null>(null)
  const onWay = useRef<Way | null>(null)
  function go(next: Way | null) {
    onWay.current = next
    setWay(next)
  }
  return { way, onWay, go }
}

function usePostDraft(forumId: string, forum: Forum, onWay: { readonly current: Way | null }) {
  const session = useSession()
  const [draft, setDraft] = useState<PostDraft>(
    () => findPostDraft(session, forumId) ?? { title: '', content: forum.template ?? '', tags: [] },
  )
  const latest = useRef(draft)

  function change(changed: Partial<PostDraft>) {
    if (onWay.current?.isFinal) return
    latest.current = { ...latest.current, ...changed }
    setDraft(latest.current)
    // A post that is being sent is not kept as a draft: a user who leaves and returns would send it twice.
    if (onWay.current === null) keepPostDraft(session, forumId, latest.current)
  }

  /** Restores the draft after a failure, unless the user has begun another post since. */
  function restore() {
    if (findPostDraft(session, forumId) === undefined) keepPostDraft(session, forumId, latest.current)
  }

  return { draft, latest, change, restore }
}

interface Completed {
  readonly forumId: string
  readonly forum: Forum
  readonly filesKey: string
  readonly draft: PostDraft
}

/** @throws InvalidForm if the user has emptied the post since it was sent */
function completePost({ uploads, store }: Session, { forumId, forum, filesKey, draft }: Completed) {
  const { title, content, tags } = draft
  const { uploads: held, drafts } = uploads.api.getState()
  const files = (drafts[filesKey] ?? []).flatMap((id) => held[id] ?? [])
  const errors = checkPost({ title, content }, files)
  if (Object.keys(errors).length > 0) throw new InvalidForm(errors)
  const present = store.get().rooms[forumId]?.forum ?? forum
  return { title: title.trim(), content: content.trim(), tags: presentTags(present, tags) }
}

export function checkPost(
  values: Readonly<Record<string, string>>,
  uploads: readonly FileUpload[],
): FormErrors {
  return {
    ...checkGiven(values, 'title', t('Enter a title.')),
    ...(uploads.some(isRefused) && { form: t('A file couldn’t be uploaded. Retry or remove it.') }),
    ...(uploads.length === 0 && checkGiven(values, 'content', t('Write something, or choose a picture.'))),
  }
}

function isRefused({ progress }: FileUpload): boolean {
  return progress.kind === 'swept' || (progress.kind === 'failed' && !progress.lost)
}
