import { memo } from 'react'
import { Markdown } from '#src/markdown/markdown.tsx'
import { isJumbo } from './emoji-text.ts'
import './message-text.css'

/** A message's text as its marks set it; a few emojis alone are large. */
export const MessageText = memo(function MessageText({ text }: { text: string }) {
  return (
    <div className="message-text" dir="auto" data-jumbo={isJumbo(text) || undefined}>
      <Markdown text={text} />
    </div>
  )
})
