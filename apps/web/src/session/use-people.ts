import { useEffect, useState } from 'react'
import { useAppState, useSession } from './context.ts'

/** More than these are not asked for: one list must not use up what one may ask in a minute. */
const MAX_ASKED = 40

const NONE: readonly string[] = []

/** Has the first users with these ids known, asking for those that are not, one after the other. */
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
      // Who cannot be found stays without a name.
      () => asking.signal.aborted || setMissing((before) => [...before, unknown]),
    )
    return () => asking.abort()
  }, [client, store, unknown])
}
