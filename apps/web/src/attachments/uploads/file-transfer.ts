/** Dropped or pasted files. Folders cannot be sent. */
export interface Transferred {
  readonly files: readonly File[]
  readonly hasFolders: boolean
}

/** Returns true if files are dragged. Browsers reveal nothing else about the files before the drop. */
export function carriesFiles({ types }: DataTransfer): boolean {
  return types.includes('Files')
}

export function filesOf(transfer: DataTransfer): Transferred {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  const files = items.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? [])
  return { files, hasFolders: items.some(isFolder) }
}

/**
 * Returns the files of a paste, unless it is meant as text. Office programs add a picture of the copied text, together
 * with plain text and HTML. A picture copied from a web page comes with HTML, but without plain text.
 */
export function pastedFiles(transfer: DataTransfer): readonly File[] {
  const isText = transfer.types.includes('text/plain') && transfer.types.includes('text/html')
  return isText ? [] : filesOf(transfer).files
}

function isFolder(item: DataTransferItem): boolean {
  return item.webkitGetAsEntry()?.isDirectory === true
}
