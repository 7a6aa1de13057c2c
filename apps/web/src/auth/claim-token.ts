import { useEffect, useState } from 'react'

/** Returns the token in the fragment of the operators' link; null if it has none. */
export function claimTokenOf(fragment: string): string | null {
  return /^#([\w-]{1,512})$/.exec(fragment)?.[1] ?? null
}

/**
 * Takes the token of the link for the first operator out of the address, where others could see it or copy it along. The
 * link may be opened again in the same tab, which loads no new page.
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
