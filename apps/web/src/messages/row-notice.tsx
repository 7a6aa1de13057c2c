import { useEffect } from 'react'

const SHOWN_MS = 4000

interface RowNoticeProps {
  /** Empty while there is nothing to tell: words are noticed where their place was there before them. */
  words: string
  onTell: (words: string) => void
}

/** What was done with a message and shows nowhere else, for a moment. */
export function RowNotice({ words, onTell }: RowNoticeProps) {
  useEffect(() => {
    if (words === '') return
    const timer = setTimeout(() => onTell(''), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [words, onTell])

  return (
    <p role="status" className={words === '' ? 'visually-hidden' : 'message-notice'}>
      {words}
    </p>
  )
}
