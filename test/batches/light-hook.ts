// This file is loaded before Node's test runner. To find the test of an error, the runner follows every promise, and has
// the garbage collector report the end of each: 8 % of the CPU time of all tests. Without these reports, it keeps about
// 50 bytes for each promise until the process ends. Batches do so after a minute or two. Those of voice are left alone:
// their WebRTC library crashes in processes whose garbage is collected less often.
import asyncHooks, { type HookCallbacks } from 'node:async_hooks'

const { createHook } = asyncHooks

/** Creates a hook. That of the test runner gets no `destroy`. */
function createLightHook(callbacks: HookCallbacks): asyncHooks.AsyncHook {
  const isOfRunner = new Error().stack?.includes('node:internal/test_runner') === true
  const { destroy: _, ...light } = callbacks
  return createHook(isOfRunner ? light : callbacks)
}

const isOfVoice = process.argv[1]?.includes('-server-voice') === true
if (!isOfVoice) Object.assign(asyncHooks, { createHook: createLightHook })
