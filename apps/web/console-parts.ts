/**
 * Puts modules that several sections of the console share into one chunk. Each module would otherwise be a file of a few
 * hundred bytes, whose name appears in the lists of files to load before a section.
 */
export function consoleParts(folder: string) {
  const operators = `${folder}/src/operators/`
  return {
    debugName: 'parts of several sections of the console',
    name: (id: string) => (id.startsWith(operators) ? 'console-parts' : null),
    minShareCount: 2,
    // Leaves dependencies that other pages use, too, in their own chunks.
    includeDependenciesRecursively: false,
  }
}
