import { type RefObject, useEffect, useState } from 'react'
import { carriesFiles, filesOf, type Transferred } from './file-transfer.ts'

/** Time to wait after `dragleave`, which also fires when the pointer moves between elements inside. */
const LEAVE_MS = 120

/**
 * Accepts files dropped on an ancestor of the element. Returns true while files are dragged over it.
 * @param around a selector for the ancestor
 * @param onDrop must be memoized, because every new function replaces the event listeners
 */
export function useFileDrop(
  inside: RefObject<HTMLElement | null>,
  around: string,
  onDrop: (dropped: Transferred) => void,
): boolean {
  const [isOver, setIsOver] = useState(false)

  useEffect(() => {
    const target = inside.current?.closest<HTMLElement>(around)
    if (!target) return
    const listening = new AbortController()
    const { signal } = listening
    let leaving: ReturnType<typeof setTimeout> | undefined

    for (const type of ['dragenter', 'dragover'] as const)
      target.addEventListener(type, (event) => take(event, () => show(true)), { signal })
    target.addEventListener('dragleave', () => show(false), { signal })
    target.addEventListener('drop', (event) => take(event, finish), { signal })

    function show(next: boolean) {
      clearTimeout(leaving)
      if (next) setIsOver(true)
      else leaving = setTimeout(() => setIsOver(false), LEAVE_MS)
    }

    function finish(transfer: DataTransfer) {
      clearTimeout(leaving)
      setIsOver(false)
      onDrop(filesOf(transfer))
    }

    return () => {
      clearTimeout(leaving)
      listening.abort()
    }
  }, [inside, around, onDrop])

  return isOver
}

function take(event: DragEvent, use: (transfer: DataTransfer) => void): void {
  if (event.dataTransfer === null || !carriesFiles(event.dataTransfer)) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'copy'
  use(event.dataTransfer)
}
