import type { SpaceSticker } from '@foyer/protocol/stickers'
import { type ComponentProps, cloneElement, type ReactElement, useState } from 'react'
import { lazyPopup } from '#src/ui/lazy-popup.tsx'
import { usePopup } from '#src/ui/use-popup.ts'
import type { EmojiPickerProps } from './emoji-picker.tsx'

const EmojiPopup = lazyPopup(() => import('./emoji-popup.tsx').then((module) => module.EmojiPopup))

interface EmojiPopoverProps extends EmojiPickerProps {
  /** The button that opens it; it says by itself what it is for. */
  trigger: ReactElement<ComponentProps<'button'>>
  /** Where something else opens it too. */
  open?: boolean | undefined
  onOpenChange?: (open: boolean) => void
}

/** A button that opens the picker, which closes with the choice. */
export function EmojiPopover(props: EmojiPopoverProps) {
  const { onEmoji, onSticker, spaceId } = props
  const { open, isWanted, change, trigger, popup } = usePopup({
    kind: 'dialog',
    open: props.open,
    onOpenChange: props.onOpenChange,
  })
  const times = useTimes(open)

  return (
    <>
      {cloneElement(props.trigger, trigger)}
      {isWanted && (
        <EmojiPopup
          popup={popup}
          times={times}
          spaceId={spaceId}
          onEmoji={(text: string) => {
            change(false)
            onEmoji(text)
          }}
          onSticker={
            onSticker &&
            ((sticker: SpaceSticker) => {
              change(false)
              onSticker(sticker)
            })
          }
        />
      )}
    </>
  )
}

/** How often it was so. */
function useTimes(isSo: boolean): number {
  const [known, setKnown] = useState({ isSo, times: 0 })
  if (known.isSo !== isSo) setKnown({ isSo, times: known.times + (isSo ? 1 : 0) })
  return known.times
}
