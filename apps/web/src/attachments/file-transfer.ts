/** What was dropped or pasted: files, and whether there were folders, which cannot be sent. */
export interface Transferred {
  readonly files: readonly File[]
  readonly hasFolders: boolean
}

/** Whether files are dragged, which is all that is known before they are dropped. */
export function carriesFiles({ types }: DataTransfer): boolean {
  return types.includes('Files')
}

export function filesOf(transfer: DataTransfer): Transferred {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  const files = items.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? [])
  return { files, hasFolders: items.some(isFolder) }
}

/**
 * The files of a paste that means files. Office programs put a picture of the text beside it, where the text is meant; a
 * picture that was copied from a page comes with its address as HTML alone.
 */
export function pastedFiles(transfer: DataTransfer): readonly File[] {
  const isText = transfer.types.includes('text/plain') && transfer.types.includes('text/html')
  return isText ? [] : filesOf(transfer).files
}

function isFolder(item: DataTransferItem): boolean {
  return item.webkitGetAsEntry()?.isDirectory === true
}
