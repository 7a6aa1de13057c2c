import type { Session } from '#src/session/session.ts'

/** A post that is being written. Its pictures are uploads of the forum. */
export interface PostDraft {
  readonly title: string
  readonly content: string
  readonly tags: readonly string[]
}

/** Drafts of each session by the ids of their forums, until the page is closed or the post is made. */
const drafts = new WeakMap<Session, Map<string, PostDraft>>()

export function findPostDraft(session: Session, forumId: string): PostDraft | undefined {
  return drafts.get(session)?.get(forumId)
}

export function keepPostDraft(session: Session, forumId: string, draft: PostDraft): void {
  const own = drafts.get(session) ?? new Map<string, PostDraft>()
  drafts.set(session, own.set(forumId, draft))
}

export function dropPostDraft(session: Session, forumId: string): void {
  drafts.get(session)?.delete(forumId)
}
