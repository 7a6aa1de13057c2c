import { ApiError } from '#src/kernel/errors.ts'
import type { RoomAccess } from '#src/spaces/access.ts'
import { managesThreads } from '#src/thread-rooms/access.ts'

/**
 * Checks the tags of a post.
 * @param before the tags that the post already has
 * @throws ApiError 400 outside of forums, for tags of other forums, and without a tag where one is required; 403 to
 * set or remove a moderated tag without ManageThreads
 */
export function checkTags(
  access: Pick<RoomAccess, 'room' | 'capabilities'>,
  tags: readonly string[],
  before: readonly string[] = [],
): void {
  const { forum } = access.room
  if (forum === undefined) throw new ApiError('not_a_forum')
  const known = new Map(forum.tags.map((tag) => [tag.id, tag]))
  if (!tags.every((id) => known.has(id))) throw new ApiError('unknown_tag')
  if (forum.requires_tag && tags.length === 0) throw new ApiError('tag_required')
  const changed = [...new Set(tags).symmetricDifference(new Set(before))]
  const isModerated = changed.some((id) => known.get(id)?.is_moderated)
  if (isModerated && !managesThreads(access)) throw new ApiError('moderated_tag')
}
