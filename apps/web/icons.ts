const ICONS = '/node_modules/lucide-react/'
const FOLDER = 'assets/lucide-'

/** Returns the pattern of a chunk's file name. Icons that several chunks use are chunks of their own. */
export function chunkName({ moduleIds }: { moduleIds: readonly string[] }): string {
  const isIcon = moduleIds.length > 0 && moduleIds.every((id) => id.includes(ICONS))
  return `${isIcon ? FOLDER : 'assets/'}[name]-[hash].js`
}

/**
 * Returns false for icons. They are left out of the lists of files to load together with a chunk: their names would take more of
 * the first load than they are worth, and the chunk itself imports them.
 */
export function isNoIcon(file: string): boolean {
  return !file.startsWith(FOLDER)
}
