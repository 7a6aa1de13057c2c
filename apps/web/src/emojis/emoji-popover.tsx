import type { SpaceSticker } from '@foyer/protocol/stickers'
import { type ComponentProps, cloneElement, type ReactElement, useState } from 'react'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { usePopup } from '#src/ui/popups/use-popup.ts'
import type { EmojiPickerProps } from './emoji-picker.tsx'

const EmojiPopup = lazyPopup(() => import('./emoji-popup.tsx').then((module) => module.EmojiPopup))

interface EmojiPopoverProps extends EmojiPickerProps {
  /** The button that opens the picker, with its own label. */
  trigger: ReactElement<ComponentProps<'button'>>
  /** Set if the parent controls the popover. */
  open?: boolean | undefined
  onOpenChange?: (open: boolean) => void
}

/** A button that opens the picker. Selecting an emoji or sticker closes it. */
export function EmojiPopover(props: EmojiPopoverProps) {
  const { onEmoji, onSticker, spaceId } = props
  const { open, isWanted, change, trigger, popup } = usePopup({
    kind: 'dialog',
    open: props.open,
    onOpenChange: props.onOpenChange,
  })
  const times = useTrueCount(open)

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

/** Counts how often the value became true. */
function useTrueCount(value: boolean): number {
  const [known, setKnown] = useState({ value, times: 0 })
  if (known.value !== value) setKnown({ value, times: known.times + (value ? 1 : 0) })
  return known.times
}
