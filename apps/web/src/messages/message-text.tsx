import { memo } from 'react'
import { isJumbo, type Piece, splitEmojis } from './emoji-text.ts'
import { linkify } from './links.ts'
import { SpaceEmojiImage } from './space-emoji.tsx'

/** Text as it was written: line breaks stay, addresses can be followed, emojis are shown, and nothing else is read into it. */
export const MessageText = memo(function MessageText({ text }: { text: string }) {
  return (
    <div className="message-text" data-jumbo={isJumbo(text) || undefined}>
      {keyed(splitEmojis(text)).map(({ key, part: { text, emoji } }) =>
        emoji === null ? (
          <LinkedText key={key} text={text} />
        ) : (
          <SpaceEmojiImage key={key} id={emoji.id} name={emoji.name} />
        ),
      )}
    </div>
  )
})

function LinkedText({ text }: { text: string }) {
  return keyed(linkify(text)).map(({ key, part: { text, href } }) =>
    href === null ? (
      <span key={key}>{text}</span>
    ) : (
      <a key={key} href={href} target="_blank" rel="noopener noreferrer nofollow">
        {text}
      </a>
    ),
  )
}

/** The parts of a text with where each begins. */
function keyed<Part extends Pick<Piece, 'text'>>(parts: readonly Part[]): { key: number; part: Part }[] {
  let at = 0
  return parts.map((part) => {
    const key = at
    at += part.text.length
    return { key, part }
  })
}
