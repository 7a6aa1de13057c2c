import type { Forum, ForumTag, SetTag, UpdateForum } from '@foyer/protocol/forums'
import { isFitTitle } from '@foyer/protocol/thread-rooms'
import { foldName } from '@foyer/protocol/words'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { changed } from '#src/moderation/screening/names.ts'

/** The settings of a new forum. */
export const newForum: Forum = {
  guidelines: null,
  template: null,
  tags: [],
  requires_tag: false,
  sort: 'activity',
  layout: 'list',
}

/**
 * Returns the forum's settings after a change; null clears a text.
 * @throws ApiError 400 for a tag of another forum, for a tag or a tag name that is given twice, and for an invalid tag name
 */
export function changedForum(forum: Forum, change: UpdateForum | undefined, caller: Caller): Forum {
  if (change === undefined) return forum
  const { guidelines = forum.guidelines, template = forum.template, tags, ...others } = change
  return {
    ...forum,
    ...others,
    guidelines: guidelines || null,
    template: template || null,
    tags: tags === undefined ? forum.tags : tagsOf(forum.tags, tags, caller),
  }
}

/** Only an undo may bring a deleted tag back with its id, and thereby back to the posts that had it. */
function tagsOf(before: readonly ForumTag[], tags: readonly SetTag[], { audit }: Caller): ForumTag[] {
  const known = new Map(before.map((tag) => [tag.id, tag]))
  const ids = tags.flatMap(({ id }) => id ?? [])
  const isUnknown = audit?.undoes === undefined && ids.some((id) => !known.has(id))
  if (isUnknown || new Set(ids).size < ids.length) throw new ApiError('unknown_tag')
  if (!tags.every(({ name }) => isFitTitle(name))) throw new ApiError('invalid_tag_name')
  const names = new Set(tags.map(({ name }) => foldName(name)))
  if (names.size < tags.length) throw new ApiError('duplicate_tag')
  return tags.map(({ id, name, color, is_moderated }) => ({
    id: id ?? newId(),
    name,
    color: color === undefined ? (known.get(id ?? '')?.color ?? null) : color,
    is_moderated: is_moderated ?? known.get(id ?? '')?.is_moderated ?? false,
  }))
}

/** Returns the new texts that the rules of the space may refuse. */
export function textsOfForum(before: Forum | undefined, change: UpdateForum | undefined) {
  if (change === undefined) return []
  const known = new Set(before?.tags.map(({ name }) => name))
  const names = change.tags?.map(({ name }) => name).filter((name) => !known.has(name)) ?? []
  return [
    changed(before?.guidelines, change.guidelines),
    changed(before?.template, change.template),
    ...names,
  ]
}
