/**
 * Puts what several sections of the console use into one chunk. Each piece by itself would be a file of a few hundred bytes, with
 * its own imports and a name in the lists of what to load before a section.
 */
export function consoleParts(folder: string) {
  const operators = `${folder}/src/operators/`
  return {
    debugName: 'parts of several sections of the console',
    name: (id: string) => (id.startsWith(operators) ? 'console-parts' : null),
    minShareCount: 2,
    // Modules that other pages use, too, stay where they are.
    includeDependenciesRecursively: false,
  }
}
