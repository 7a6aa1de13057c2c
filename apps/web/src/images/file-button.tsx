import { type ReactNode, type RefObject, useRef } from 'react'
import { Button } from '#src/ui/buttons/button.tsx'
import { IMAGE_TYPES } from './image-words.ts'

interface FileButtonProps {
  /** The accessible name, if the label is not clear by itself. */
  'aria-label'?: string
  look?: 'primary' | 'quiet'
  multiple?: boolean
  pending?: boolean
  disabled?: boolean
  ref?: RefObject<HTMLButtonElement | null>
  onFiles: (files: File[]) => void
  children: ReactNode
}

/** A button that opens the browser's file dialog for pictures. */
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
          // Otherwise choosing the same file again would fire no event.
          event.target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </>
  )
}
