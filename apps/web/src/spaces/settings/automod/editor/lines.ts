/** Returns the lines of a text that are not empty, trimmed, each once. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== ''))]
}

/** Returns the host of a line, which may be a whole link. */
export function hostOf(line: string): string {
  const [host = ''] = line
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split(/[/?#:]/)
  return host
}
