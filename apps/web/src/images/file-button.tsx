import { type ReactNode, type RefObject, useRef } from 'react'
import { Button } from '#src/ui/button.tsx'
import { IMAGE_TYPES } from './image-words.ts'

interface FileButtonProps {
  /** Its name, where what it says is not enough by itself. */
  'aria-label'?: string
  look?: 'primary' | 'quiet'
  multiple?: boolean
  pending?: boolean
  disabled?: boolean
  ref?: RefObject<HTMLButtonElement | null>
  onFiles: (files: File[]) => void
  children: ReactNode
}

/** A button that asks for pictures of this device. */
export function FileButton({
  look = 'quiet',
  multiple = false,
  onFiles,
  children,
  ...button
}: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...button} look={look} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        accept={IMAGE_TYPES}
        multiple={multiple}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          // The same file may be chosen again.
          event.target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </>
  )
}
