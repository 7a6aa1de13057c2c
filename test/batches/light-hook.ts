// Loaded before Node's test runner, which finds the test of an error by following every promise of it. To forget those
// that ended, it has the garbage collector report each: a tenth of the CPU time of all tests. Without these reports the
// runner keeps a number for each promise, which is little, as a process runs for a minute.
import asyncHooks, { type HookCallbacks } from 'node:async_hooks'

const { createHook } = asyncHooks

/** Creates a hook, for the test runner without `destroy`. */
function createLightHook({ destroy, ...callbacks }: HookCallbacks): asyncHooks.AsyncHook {
  const isOfRunner = new Error().stack?.includes('node:internal/test_runner') === true
  return createHook(isOfRunner || destroy === undefined ? callbacks : { ...callbacks, destroy })
}

Object.assign(asyncHooks, { createHook: createLightHook })
