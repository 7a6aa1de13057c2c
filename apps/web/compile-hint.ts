import type { Plugin } from 'vite'

const HINT = '//# allFunctionsCalledOnLoad\n'

/**
 * Has V8 compile all functions of these chunks while they come in, beside the main thread, where it would compile each when it is
 * first called. Other engines see a comment.
 * @see https://v8.dev/blog/explicit-compile-hints
 */
export function compiledAtOnce(names: readonly string[]): Plugin {
  return {
    name: 'foyer-compile-hint',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // It has to be what the file begins with.
      order: 'post',
      handler: (_, bundle) => {
        for (const chunk of Object.values(bundle))
          if (chunk.type === 'chunk' && names.includes(chunk.name)) chunk.code = HINT + chunk.code
      },
    },
  }
}
