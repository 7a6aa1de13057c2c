// This file is loaded before Node's test runner. To find the test of an uncaught error, the runner tracks every promise, timer
// and socket, which takes a tenth of the CPU time of a batch. Here, the asynchronous context holds the current test instead, and
// the runner is notified only when there is an error.
import asyncHooks, {
  AsyncLocalStorage,
  AsyncResource,
  executionAsyncId,
  type HookCallbacks,
} from 'node:async_hooks'

const { createHook } = asyncHooks
const { runInAsyncScope } = AsyncResource.prototype
/** The runner's object for the running test, suite or hook. */
const current = new AsyncLocalStorage<object>()
const tests = new WeakSet<object>()

/** Creates a hook. For the test runner, the hook follows only tests, not every asynchronous resource. */
function createLightHook(callbacks: HookCallbacks): asyncHooks.AsyncHook {
  const isOfRunner = new Error().stack?.includes('node:internal/test_runner') === true
  return isOfRunner ? lighten(callbacks) : createHook(callbacks)
}

function lighten({ init, destroy }: HookCallbacks): asyncHooks.AsyncHook {
  /** Registers the failed callback with its test in the runner, for as long as the runner handles the error. */
  const attribute = () => {
    const [id, running] = [executionAsyncId(), current.getStore()]
    if (running === undefined) return
    init?.(id, 'Test', 0, running)
    queueMicrotask(() => destroy?.(id))
  }
  // Added before the runner adds its own listeners, so that these run first.
  process.on('uncaughtExceptionMonitor', attribute)
  process.on('unhandledRejection', attribute)
  const hook = createHook({
    init(id, type, trigger, resource) {
      if (type !== 'Test') return
      tests.add(resource)
      init?.(id, type, trigger, resource)
    },
    trackPromises: false,
  })
  const disable = () => {
    process.off('unhandledRejection', attribute)
    return hook.disable()
  }
  return { enable: () => hook.enable(), disable }
}

AsyncResource.prototype.runInAsyncScope = function runAsCurrent(act, thisArg, ...values) {
  const isTest = tests.has(this)
  const inContext: typeof act = (...given) => current.run(this, () => Reflect.apply(act, thisArg, given))
  return Reflect.apply(runInAsyncScope, this, [isTest ? inContext : act, thisArg, ...values])
}
Object.assign(asyncHooks, { createHook: createLightHook })
