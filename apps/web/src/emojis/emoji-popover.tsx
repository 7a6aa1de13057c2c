import { Dialog } from '@base-ui/react/dialog'
import { Popover } from '@base-ui/react/popover'
import type { SpaceSticker } from '@foyer/protocol/stickers'
import { type ReactElement, Suspense, useState } from 'react'
import { isTouch } from '#src/ui/is-touch.ts'
import { lazyComponent } from '#src/ui/lazy.tsx'
import '#src/ui/menu.css'
import '#src/ui/modal.css'
import { useMediaQuery, WIDE } from '#src/ui/use-media-query.ts'
import type { EmojiPickerProps } from './emoji-picker.tsx'
import './emoji-popover.css'

const EmojiPicker = lazyComponent(() => import('./emoji-picker.tsx').then((module) => module.EmojiPicker))

interface EmojiPopoverProps extends EmojiPickerProps {
  /** The button that opens it; it says by itself what it is for. */
  trigger: ReactElement
  /** Where something else opens it too. */
  open?: boolean | undefined
  onOpenChange?: (open: boolean) => void
}

/** Not its tabs; and on glass no field, which would call up a keyboard. */
function begin(): HTMLElement | boolean {
  if (isTouch()) return true
  return document.querySelector<HTMLElement>('.emoji-picker input') ?? true
}

/** A button that opens the picker: beside it, or on a phone as a sheet. It closes with the choice. */
export function EmojiPopover(props: EmojiPopoverProps) {
  const { trigger, onOpenChange, onEmoji, onSticker, spaceId } = props
  const [isOpen, setOpen] = useState(false)
  const open = props.open ?? isOpen
  // One that is opened while it still fades out begins anew, without what was searched for.
  const [times, setTimes] = useState(0)
  const isWide = useMediaQuery(WIDE)

  function change(next: boolean) {
    setOpen(next)
    if (next) setTimes(times + 1)
    onOpenChange?.(next)
  }

  const picker = (
    <Suspense fallback={<p className="menu-note">Loading…</p>}>
      <EmojiPicker
        key={times}
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
    </Suspense>
  )

  if (!isWide)
    return (
      <Dialog.Root open={open} onOpenChange={change}>
        <Dialog.Trigger render={trigger} />
        <Dialog.Portal>
          <Dialog.Backdrop className="modal-backdrop" />
          <Dialog.Popup className="emoji-sheet" aria-label="Emojis" initialFocus={begin}>
            {picker}
            <Dialog.Close className="visually-hidden">Close</Dialog.Close>
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    )
  return (
    <Popover.Root open={open} onOpenChange={change}>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner className="floating" side="top" align="end" sideOffset={8} collisionPadding={8}>
          <Popover.Popup className="popover emoji-popover" aria-label="Emojis" initialFocus={begin}>
            {picker}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
