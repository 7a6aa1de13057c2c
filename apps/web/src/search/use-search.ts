import type { Message } from '@foyer/protocol/messages'
import type { MessageSearchResponse } from '@foyer/protocol/search'
import { type Dispatch, type SetStateAction, useCallback, useEffect, useRef, useState } from 'react'
import { useSession } from '#src/session/context.ts'
import type { Session } from '#src/session/session.ts'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import { type Asked, isEmpty, toQuery } from './search-filters.ts'
import { useMessageChanges } from './use-message-changes.ts'

/** The scope of a search: all rooms of a space, or one conversation. */
export type SearchScope =
  | { readonly kind: 'space'; readonly id: string; readonly name: string }
  | { readonly kind: 'conversation'; readonly id: string; readonly name: string }

export type Found =
  | { readonly state: 'nothing asked' }
  | { readonly state: 'searching' }
  | { readonly state: 'failed'; readonly message: string }
  | {
      readonly state: 'here'
      readonly asked: Asked
      readonly messages: readonly Message[]
      /** Titles of the threads and posts that contain the messages, by id. */
      readonly titles: Readonly<Record<string, string>>
      readonly cursor: string | null
      readonly isLoading: boolean
      /** Error of the next page, if it failed. */
      readonly error: string | null
    }

type Here = Extract<Found, { state: 'here' }>

type Edit = (messages: readonly Message[]) => readonly Message[]

const PAGE = 25

/**
 * Runs a search page by page. A new search cancels the previous one. Edits and deletions change the results, including
 * those of a page that is being loaded.
 */
export function useSearch(scope: SearchScope) {
  const session = useSession()
  const [found, setFound] = useState<Found>({ state: 'nothing asked' })
  const request = useRef(new AbortController())
  useEffect(() => () => request.current.abort(), [])

  const { change, watch } = useEdits(setFound)
  useMessageChanges(change)

  const search = useCallback(
    async (asked: Asked) => {
      request.current.abort()
      if (isEmpty(asked)) return setFound({ state: 'nothing asked' })
      request.current = new AbortController()
      const { signal } = request.current
      const edits = watch()
      setFound({ state: 'searching' })
      try {
        const page = await ask(session, scope, asked, signal)
        if (signal.aborted) return
        setFound(pageOf(asked, null, page, edits.end()))
      } catch (error) {
        if (!signal.aborted) setFound({ state: 'failed', message: errorMessage(error) })
      }
    },
    [session, scope, watch],
  )

  async function more() {
    if (found.state !== 'here' || found.cursor === null || found.isLoading) return
    const { signal } = request.current
    const edits = watch()
    setFound((now) => (now.state === 'here' ? { ...now, isLoading: true, error: null } : now))
    try {
      const page = await ask(session, scope, { ...found.asked, cursor: found.cursor }, signal)
      if (signal.aborted) return
      const late = edits.end()
      setFound((now) => pageOf(found.asked, now.state === 'here' ? now : null, page, late))
    } catch (error) {
      const message = errorMessage(error)
      if (!signal.aborted)
        setFound((now) => (now.state === 'here' ? { ...now, isLoading: false, error: message } : now))
    }
  }

  return { found, search, more, change }
}

/** Collects the edits made since a page was requested. */
interface Watch {
  /** Returns the edits, once the answer has arrived. */
  end(): readonly Edit[]
}

/** Edits the results. Remembers edits that are made during a request, because its answer may be older than the edits. */
function useEdits(setFound: Dispatch<SetStateAction<Found>>) {
  const late = useRef<Edit[] | null>(null)
  const change = useCallback(
    (edit: Edit) => {
      late.current?.push(edit)
      setFound((now) => (now.state === 'here' ? { ...now, messages: edit(now.messages) } : now))
    },
    [setFound],
  )
  const watch = useCallback((): Watch => {
    const edits: Edit[] = []
    late.current = edits
    return {
      end() {
        late.current = null
        return edits
      },
    }
  }, [])
  return { change, watch }
}

async function ask(
  { client, store }: Session,
  scope: SearchScope,
  asked: Asked & { cursor?: string },
  signal: AbortSignal,
): Promise<MessageSearchResponse> {
  const { room_id, ...query } = {
    ...toQuery(asked),
    limit: PAGE,
    ...(asked.cursor !== undefined && { cursor: asked.cursor }),
  }
  const page = await (scope.kind === 'conversation'
    ? client.search.conversation(scope.id, query, { signal })
    : client.search.space(scope.id, { ...query, ...(room_id !== undefined && { room_id }) }, { signal }))
  if (!signal.aborted) store.dispatch('users_loaded', page.users)
  return page
}

/** @param edits made since the page was requested */
function pageOf(
  asked: Asked,
  before: Pick<Here, 'messages' | 'titles'> | null,
  page: MessageSearchResponse,
  edits: readonly Edit[],
): Found {
  const { messages: earlier, titles } = before ?? { messages: [], titles: {} }
  const held = new Set(earlier.map(({ id }) => id))
  const all = [...earlier, ...page.messages.filter(({ id }) => !held.has(id))]
  return {
    state: 'here',
    asked,
    messages: edits.reduce<readonly Message[]>((messages, edit) => edit(messages), all),
    titles: { ...titles, ...Object.fromEntries(page.threads.map(({ id, title }) => [id, title])) },
    cursor: page.has_more ? page.cursor : null,
    isLoading: false,
    error: null,
  }
}
