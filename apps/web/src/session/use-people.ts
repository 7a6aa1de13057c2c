import { useEffect, useState } from 'react'
import { useAppState, useSession } from './context.ts'

/** Maximum number of users requested, so that one list does not use up the requests allowed per minute. */
const MAX_ASKED = 40

const NONE: readonly string[] = []

/** Loads users that the store does not have, one after another. Loads at most the first `MAX_ASKED` ids. */
export function usePeople(ids: readonly string[]): void {
  const { client, store } = useSession()
  const [missing, setMissing] = useState(NONE)
  const wanted = [...new Set(ids)].slice(0, MAX_ASKED)
  const unknown = useAppState((state) => wanted.find((id) => !(id in state.users) && !missing.includes(id)))

  useEffect(() => {
    if (unknown === undefined) return
    const asking = new AbortController()
    client.users.get(unknown, { signal: asking.signal }).then(
      (user) => store.adopt('USER_UPDATE', user),
      // A user that cannot be found stays without a name.
      () => asking.signal.aborted || setMissing((before) => [...before, unknown]),
    )
    return () => asking.abort()
  }, [client, store, unknown])
}
