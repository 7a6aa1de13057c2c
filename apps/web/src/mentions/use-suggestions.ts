import type { SpaceEmoji } from '@foyer/protocol/emojis'
import { mayMentionEveryone } from '@foyer/protocol/mentions'
import { useEffect, useMemo, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import type { Emoji } from '#src/emojis/emoji-data.ts'
import { useSpaceEmojis } from '#src/emojis/use-space-emojis.ts'
import { useMemberSearch } from '#src/members/use-member-search.ts'
import { useAppState } from '#src/session/context.ts'
import type { CompletionQuery } from './completion-query.ts'
import { isClosed, type Suggestion, suggestPeople, suggestRooms } from './suggestions.ts'

/** Returns the suggestions for a mention being typed. */
export function useSuggestions({ kind, query }: CompletionQuery): readonly Suggestion[] {
  const channel = useChannel()
  const { spaceId } = channel
  const state = useAppState((now) => now)
  const emojis = useEmojiSuggestions(kind === ':' ? query : null, spaceId)
  const mayAll = mayMentionEveryone(channel.rights)
  const named = useMemo(() => {
    if (kind === '@') return suggestPeople(state, channel, query, mayAll)
    return kind === '#' ? suggestRooms(state, spaceId, query) : []
  }, [kind, state, channel, query, mayAll, spaceId])
  useMemberSearch(spaceId, kind === '@' ? query : null)
  return kind === ':' ? emojis : named
}

const NONE: readonly Suggestion[] = []
const MAX_EMOJIS = 10

/** Emoji of the space by name, then Unicode emoji, whose names are loaded on demand. */
function useEmojiSuggestions(query: string | null, spaceId: string | null): readonly Suggestion[] {
  const own = useSpaceEmojis(spaceId)
  const search = useEmojiSearch(query !== null)
  return useMemo(() => {
    if (query === null) return NONE
    const sought = query.toLowerCase()
    if (isClosed(sought)) return closed(sought.slice(0, -1), own, search)
    const ofSpace = own.filter(({ name }) => name.toLowerCase().includes(sought))
    const images = ofSpace.map(({ id, name, attachment_id }): Suggestion => {
      const text = `:${name}:`
      return { kind: 'emoji', key: id, text, token: null, label: text, detail: attachment_id }
    })
    const others = (search?.similar(query.replaceAll('_', ' ')) ?? []).map(suggestionOf)
    return [...images, ...others].slice(0, MAX_EMOJIS)
  }, [query, own, search])
}

function suggestionOf({ text, label }: Emoji): Suggestion {
  return { kind: 'emoji', key: text, text, token: null, label, detail: '' }
}

/** Returns the Unicode emoji with this name. Returns nothing for a space emoji: its name stays until the message is sent. */
function closed(name: string, own: readonly SpaceEmoji[], search: Search | null): readonly Suggestion[] {
  const found = own.some((emoji) => emoji.name.toLowerCase() === name) ? undefined : search?.named(name)
  return found === undefined ? NONE : [suggestionOf(found)]
}

interface Search {
  readonly similar: (query: string) => readonly Emoji[]
  readonly named: (name: string) => Emoji | undefined
}

function useEmojiSearch(isWanted: boolean): Search | null {
  const [search, setSearch] = useState<Search | null>(null)

  useEffect(() => {
    if (!isWanted || search !== null) return
    Promise.all([import('#src/emojis/emoji-data.ts'), import('#src/emojis/emoji-search.ts')])
      .then(async ([{ loadEmojiGroups }, { searchEmojis, findNamed }]) => {
        const emojis = (await loadEmojiGroups()).flatMap((group) => group.emojis)
        setSearch({
          similar: (query) => searchEmojis(emojis, query),
          named: (name) => findNamed(emojis, name),
        })
      })
      // Emoji can be typed without suggestions.
      .catch(() => undefined)
  }, [isWanted, search])

  return search
}
