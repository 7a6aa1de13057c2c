import { memo } from 'react'
import { linkify } from './links.ts'

/** Text as it was written: line breaks stay, addresses can be followed, and nothing else is read into it. */
export const MessageText = memo(function MessageText({ text }: { text: string }) {
  let at = 0
  return (
    <div className="message-text">
      {linkify(text).map(({ text: part, href }) => {
        const key = at
        at += part.length
        return href === null ? (
          <span key={key}>{part}</span>
        ) : (
          <a key={key} href={href} target="_blank" rel="noopener noreferrer nofollow">
            {part}
          </a>
        )
      })}
    </div>
  )
})
