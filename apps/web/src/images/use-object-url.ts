import { useEffect, useState } from 'react'

/** Returns an object URL of the file, revoked on unmount. Null on the first render. */
export function useObjectUrl(file: Blob): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const created = URL.createObjectURL(file)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [file])
  return url
}
