import type { Plugin } from 'vite'

const HINT = '//# allFunctionsCalledOnLoad\n'

/**
 * Lets V8 compile all functions of these chunks in the background while they load, instead of on the main thread when they
 * are first called. Other engines ignore the comment.
 * @see https://v8.dev/blog/explicit-compile-hints
 */
export function compiledAtOnce(names: readonly string[]): Plugin {
  return {
    name: 'foyer-compile-hint',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // Runs last, because the hint must be the first line of the file.
      order: 'post',
      handler: (_, bundle) => {
        for (const chunk of Object.values(bundle))
          if (chunk.type === 'chunk' && names.includes(chunk.name)) chunk.code = HINT + chunk.code
      },
    },
  }
}
