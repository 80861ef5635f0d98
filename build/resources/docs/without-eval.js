// The page's policy forbids eval: the reference's parser must not even try whether it may.
Reflect.set(globalThis, '__zod_globalConfig', { jitless: true })
