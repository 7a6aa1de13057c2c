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
  /** The space whose own emojis and stickers are offered; null in a conversation, where there are no stickers. */
  spaceId: string | null
  /** Gets what is written for it: the emoji itself, or `<:name:id>` for one of the space. */
  onEmoji: (text: string) => void
  /** Where stickers can be sent too. */
  onSticker?: ((sticker: SpaceSticker) => void) | undefined
}

/** Where an emoji or a sticker is chosen. It fills what it is in. */
export function EmojiPicker({ spaceId, onEmoji, onSticker }: EmojiPickerProps) {
  const picker = useRef<HTMLDivElement>(null)

  // On glass this would call up a keyboard over what one came to see.
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
      <Tabs.List className="tab-list" aria-label={t('What to choose from')}>
        <Tabs.Tab className="tab" value="emojis">
          {t('Emojis')}
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
