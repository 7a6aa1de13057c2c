import { type DragEvent, useState } from 'react'

interface ImageDrop {
  /** True while files are dragged over the element. */
  readonly isOver: boolean
  readonly handlers: {
    onDragEnter(event: DragEvent): void
    onDragOver(event: DragEvent): void
    onDragLeave(event: DragEvent): void
    onDrop(event: DragEvent): void
  }
}

/** Returns handlers that accept files dropped on an element. */
export function useImageDrop(onFiles: (files: File[]) => void): ImageDrop {
  const [isOver, setIsOver] = useState(false)

  function accept(event: DragEvent) {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    event.stopPropagation()
    setIsOver(true)
  }

  return {
    isOver,
    handlers: {
      onDragEnter: accept,
      onDragOver: accept,
      onDragLeave: (event) => {
        const to = event.relatedTarget
        if (!(to instanceof Node && event.currentTarget.contains(to))) setIsOver(false)
      },
      onDrop: (event) => {
        event.preventDefault()
        event.stopPropagation()
        setIsOver(false)
        const files = [...event.dataTransfer.files]
        if (files.length > 0) onFiles(files)
      },
    },
  }
}
