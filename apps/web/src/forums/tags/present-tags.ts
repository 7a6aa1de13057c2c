import type { Forum } from '@foyer/protocol/forums'

/** Returns the tags that still exist. Deleted tags can be neither shown nor sent. */
export function presentTags({ tags }: Pick<Forum, 'tags'>, ids: readonly string[]): string[] {
  return ids.filter((id) => tags.some((tag) => tag.id === id))
}
