import { useEffect } from 'react'

const SHOWN_MS = 4000

interface RowNoticeProps {
  /** Text of the notice; empty for none. The element stays: screen readers only announce changes of existing elements. */
  words: string
  onChange: (words: string) => void
}

/** Briefly shows the result of an action that is visible nowhere else, such as copying. */
export function RowNotice({ words, onChange }: RowNoticeProps) {
  useEffect(() => {
    if (words === '') return
    const timer = setTimeout(() => onChange(''), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [words, onChange])

  return (
    <p role="status" className={words === '' ? 'visually-hidden' : 'message-notice'}>
      {words}
    </p>
  )
}
