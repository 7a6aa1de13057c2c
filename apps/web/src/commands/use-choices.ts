import type { CommandOption } from '@foyer/protocol/commands'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import type { User } from '@foyer/protocol/users'
import { useMemo } from 'react'
import { t } from '#src/language/texts.ts'
import { useMemberSearch } from '#src/members/use-member-search.ts'
import { roomName } from '#src/rooms/names/room-name.ts'
import { useAppState } from '#src/session/context.ts'
import type { State } from '#src/store/state.ts'
import { isFound } from '#src/ui/fields/found.ts'
import type { Choice } from './choice-input.tsx'
import type { CommandChannel } from './command-lists.ts'
import type { Draft } from './command-values.ts'
import { type Suggest, useSuggestions } from './use-suggestions.ts'

/** Maximum number of choices shown. The user narrows down longer lists by typing. */
const MAX_SHOWN = 25

interface Asked {
  readonly option: CommandOption
  readonly channel: CommandChannel
  readonly draft: Draft
  readonly suggest: Suggest
}

interface Choices {
  readonly choices: readonly Choice[]
  /** Text shown if the list is empty. */
  readonly note: string | null
}

/** Returns the choices for an option that match the typed text. */
export function useChoices({ option, channel, draft, suggest }: Asked): Choices {
  const { rooms, spaces, members, conversations } = useSources()
  const isSuggested = option.autocomplete && option.choices.length === 0
  // A chosen value needs no suggestions.
  const { choices, isLoading } = useSuggestions(
    option.name,
    isSuggested && draft.chosen === null ? draft.text : null,
    suggest,
  )
  const offered = useMemo(
    () => choicesOf(option, channel, { rooms, spaces, members, conversations }),
    [option, channel, rooms, spaces, members, conversations],
  )
  const asksForPeople = option.type === 'user' && option.choices.length === 0 && draft.chosen === null
  useMemberSearch(channel.spaceId, asksForPeople && !isSuggested ? draft.text : null)
  if (isSuggested)
    return {
      choices: choices.map(({ name, value }) => ({ label: name, value })),
      note: isLoading ? t('Loading options…') : null,
    }
  const query = draft.chosen === null ? draft.text : ''
  const found = offered.filter(({ label, note = '' }) => isFound(query, label, note)).slice(0, MAX_SHOWN)
  return { choices: found, note: t('No matches.') }
}

type Sources = Pick<State, 'rooms' | 'spaces' | 'members' | 'conversations'>

function useSources(): Sources {
  const rooms = useAppState((state) => state.rooms)
  const spaces = useAppState((state) => state.spaces)
  const members = useAppState((state) => state.members)
  const conversations = useAppState((state) => state.conversations)
  return { rooms, spaces, members, conversations }
}

function choicesOf({ type, choices }: CommandOption, channel: CommandChannel, sources: Sources): Choice[] {
  if (choices.length > 0) return choices.map(({ name, value }) => ({ label: name, value }))
  if (type === 'boolean')
    return [
      { label: t('Yes'), value: true },
      { label: t('No'), value: false },
    ]
  if (type === 'user') return peopleIn(channel, sources)
  if (type === 'room')
    return roomsOf(channel, sources).map((room) => ({ label: roomName(room), value: room.id }))
  const roles = sources.spaces[channel.spaceId ?? '']?.roles ?? []
  return roles.filter(({ id }) => id !== channel.spaceId).map(({ id, name }) => ({ label: name, value: id }))
}

function peopleIn({ id, spaceId }: CommandChannel, { members, conversations }: Sources): Choice[] {
  if (spaceId === null) return (conversations[id]?.recipients ?? []).map((user) => personChoice(user, null))
  return Object.values(members[spaceId] ?? {}).map(({ user, nickname }) => personChoice(user, nickname))
}

function personChoice({ id, username, alias }: User, nickname: string | null): Choice {
  return { value: id, userId: id, label: nickname ?? alias ?? username, note: `@${username}` }
}

function roomsOf({ spaceId }: CommandChannel, { rooms }: Sources): Room[] {
  const ofSpace = Object.values(rooms).filter((room) => room.space_id === spaceId)
  return ofSpace
    .filter(({ type }) => type !== RoomType.Category)
    .sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
}
