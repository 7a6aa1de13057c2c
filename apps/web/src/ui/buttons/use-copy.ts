import { useState } from 'react'
import { copyText, notCopied } from './clipboard.ts'

export interface Copying {
  /** The last copied text; null if there is none, or after `forget`. */
  readonly copied: string | null
  /** The reason the last copy failed. */
  readonly error: string | null
  copy(text: string): void
  forget(): void
}

/** State of a copy button. */
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
