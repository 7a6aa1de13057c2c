import { carriesFiles } from './file-transfer.ts'

/** Ignores files dropped outside any drop target. Otherwise the browser would open them instead of the page. */
export function refuseStrayDrops(window: Window): void {
  // A drop on a part of the page that has just appeared is preceded by `dragenter` alone.
  window.addEventListener('dragenter', refuse)
  window.addEventListener('dragover', refuse)
  window.addEventListener('drop', refuse)
}

function refuse(event: DragEvent): void {
  if (event.defaultPrevented || event.dataTransfer === null || !carriesFiles(event.dataTransfer)) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}
