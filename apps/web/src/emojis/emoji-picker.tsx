import { Tabs } from '@base-ui/react/tabs'
import type { SpaceSticker } from '@foyer/protocol/stickers'
import { useEffect, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { isTouch } from '#src/ui/is-touch.ts'
import '#src/ui/tabs.css'
import { EmojiPanel } from './emoji-panel.tsx'
import './emoji-picker.css'
import { StickerPanel } from './sticker-panel.tsx'

export interface EmojiPickerProps {
  /** The space whose custom emojis and stickers are shown; null in a conversation, which has no stickers. */
  spaceId: string | null
  /** Receives the text to insert: the emoji itself, or `<:name:id>` for a custom emoji. */
  onEmoji: (text: string) => void
  /** Undefined where stickers cannot be sent. */
  onSticker?: ((sticker: SpaceSticker) => void) | undefined
}

/** Selects an emoji or a sticker. Fills its container. */
export function EmojiPicker({ spaceId, onEmoji, onSticker }: EmojiPickerProps) {
  const picker = useRef<HTMLDivElement>(null)

  // On touch devices the keyboard would cover the picker.
  useEffect(() => {
    if (!isTouch()) picker.current?.querySelector('input')?.focus()
  }, [])

  if (onSticker === undefined || spaceId === null)
    return (
      <div ref={picker} className="emoji-picker">
        <EmojiPanel spaceId={spaceId} onEmoji={onEmoji} />
      </div>
    )
  return (
    <Tabs.Root ref={picker} className="emoji-picker" defaultValue="emojis">
      <Tabs.List className="tab-list" aria-label={t('Emoji and stickers')}>
        <Tabs.Tab className="tab" value="emojis">
          {t('Emoji')}
        </Tabs.Tab>
        <Tabs.Tab className="tab" value="stickers">
          {t('Stickers')}
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="emojis" className="emoji-tab" tabIndex={-1}>
        <EmojiPanel spaceId={spaceId} onEmoji={onEmoji} />
      </Tabs.Panel>
      <Tabs.Panel value="stickers" className="emoji-tab" tabIndex={-1}>
        <StickerPanel spaceId={spaceId} onSticker={onSticker} />
      </Tabs.Panel>
    </Tabs.Root>
  )
}
