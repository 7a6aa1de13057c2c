import { memo } from 'react'
import { isJumbo } from '#src/emojis/emoji-text.ts'
import { Markdown } from '#src/markdown/markdown.tsx'
import './message-text.css'

/** Formatted text of a message. A few emoji alone are shown large. */
export const MessageText = memo(function MessageText({ text }: { text: string }) {
  return (
    <div className="message-text" dir="auto" data-jumbo={isJumbo(text) || undefined}>
      <Markdown text={text} />
    </div>
  )
})
