import { useEffect, useState } from 'react'

/** Returns the token in the fragment of the link for the first operator; null if there is none. */
export function claimTokenOf(fragment: string): string | null {
  return /^#([\w-]{1,512})$/.exec(fragment)?.[1] ?? null
}

/**
 * Returns the token of the link for the first operator, and removes it from the address bar, where others could see or copy
 * it. Opening the link again in the same tab loads no new page, so this also handles `hashchange`.
 */
export function useClaimToken(): string | null {
  const [token, setToken] = useState(() => claimTokenOf(window.location.hash))

  useEffect(() => {
    function take() {
      const found = claimTokenOf(window.location.hash)
      if (found === null) return
      setToken(found)
      window.history.replaceState(window.history.state, '', window.location.pathname)
    }
    take()
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])

  return token
}
