import { carriesFiles } from './file-transfer.ts'

/** Files that are dropped where nothing takes them do nothing: the browser would open them in the place of the page. */
export function refuseStrayDrops(window: Window): void {
  window.addEventListener('dragover', refuse)
  window.addEventListener('drop', refuse)
}

function refuse(event: DragEvent): void {
  if (event.defaultPrevented || event.dataTransfer === null || !carriesFiles(event.dataTransfer)) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}
