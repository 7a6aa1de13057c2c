import { useState } from 'react'
import { copyText, notCopied } from './clipboard.ts'

export interface Copying {
  /** The text that was copied last; null where none was, or that is no longer to be told. */
  readonly copied: string | null
  /** Why the last one was not. */
  readonly error: string | null
  copy(text: string): void
  forget(): void
}

/** What a button does that copies, and how that went. */
export function useCopy(): Copying {
  const [copied, setCopied] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)

  async function copy(text: string) {
    const isCopied = await copyText(text)
    setCopied(isCopied ? text : null)
    setError(isCopied ? null : notCopied)
  }

  return { copied, error, copy: (text) => void copy(text), forget: () => setCopied(null) }
}
