import type { QueryClient } from '@tanstack/react-query'
import {
  createHashHistory,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { z } from 'zod'
import { MAX_SEARCH_CHARACTERS } from '../server/api/contract/limits.ts'
import { SEARCH_KINDS } from '../server/api/search-kinds.ts'
import type { Client } from '../server/client/client.ts'
import { conversationListQuery, settingsQuery } from './api/queries.ts'
import { START_KINDS } from './api/start.ts'
import { Frame } from './components/frame/Frame.tsx'
import { NotFound, RouteError } from './components/RouteError.tsx'
import { FirstRunPage } from './pages/first-run/FirstRunPage.tsx'
import { LauncherPage } from './pages/launcher/LauncherPage.tsx'
import { StartingPage } from './pages/launcher/StartingPage.tsx'
import { LINK_PROBLEMS } from './pages/launcher/TaskNotice.tsx'
import { SandboxesPage } from './pages/sandboxes/SandboxesPage.tsx'
import { SearchPage } from './pages/search/SearchPage.tsx'
import { SettingsPage } from './pages/settings/SettingsPage.tsx'
import { settingsSection } from './pages/settings/sections.ts'
import { keepForLater } from './state/launch/draft.ts'
import { KIND_FILTERS } from './state/search/kinds.ts'

interface RouterContext {
  queryClient: QueryClient
  client: Client
}

const root = createRootRouteWithContext<RouterContext>()({ notFoundComponent: NotFound })

const firstRun = createRoute({ getParentRoute: () => root, path: '/first-run', component: FirstRunPage })

const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: Frame })

const launcher = createRoute({
  getParentRoute: () => frame,
  path: '/',
  validateSearch: z.object({
    folder: z.string().optional().catch(undefined),
    text: z.string().optional().catch(undefined),
    link: z.enum(LINK_PROBLEMS).optional().catch(undefined),
  }),
  beforeLoad: async ({ context: { queryClient, client }, search: { folder, text } }) => {
    if (!(await isFirstRun(queryClient, client))) return
    keepForLater({ folder, text })
    throw redirect({ to: '/first-run' })
  },
  component: function Launcher() {
    const { folder, text, link } = launcher.useSearch()
    return <LauncherPage folder={folder} text={text} link={link} />
  },
})

const starting = createRoute({
  getParentRoute: () => frame,
  path: '/starting/$taskId',
  validateSearch: z.object({ kind: z.enum(START_KINDS).optional().catch(undefined) }),
  component: function Starting() {
    const { taskId } = starting.useParams()
    const { kind = 'task' } = starting.useSearch()
    return <StartingPage key={taskId} taskId={taskId} kind={kind} />
  },
})

const LazyConversationPage = lazyRouteComponent(
  () => import('./pages/conversation/ConversationPage.tsx'),
  'ConversationPage',
)

const conversation = createRoute({
  getParentRoute: () => frame,
  path: '/conversations/$conversationId',
  validateSearch: z.object({
    seq: z.int().min(0).optional().catch(undefined),
    kind: z.enum(SEARCH_KINDS).optional().catch(undefined),
    words: z.array(z.string()).max(8).optional().catch(undefined),
    tab: z.enum(['attempts']).optional().catch(undefined),
  }),
  component: function Conversation() {
    const { conversationId } = conversation.useParams()
    const { seq, kind, words = [], tab } = conversation.useSearch()
    const asked = seq === undefined ? null : { seq, kind, words }
    return <LazyConversationPage key={conversationId} conversationId={conversationId} asked={asked} tab={tab} />
  },
})

const search = createRoute({
  getParentRoute: () => frame,
  path: '/search',
  validateSearch: z.object({
    text: z.string().max(MAX_SEARCH_CHARACTERS).catch(''),
    kind: z.enum(KIND_FILTERS).optional().catch(undefined),
    repository: z.string().optional().catch(undefined),
    folder: z.string().optional().catch(undefined),
    days: z.int().min(1).optional().catch(undefined),
  }),
  component: function Search() {
    return <SearchPage asked={search.useSearch()} />
  },
})

const sandboxes = createRoute({ getParentRoute: () => frame, path: '/sandboxes', component: SandboxesPage })

const settingsStart = createRoute({
  getParentRoute: () => frame,
  path: '/settings',
  beforeLoad: () => {
    throw redirect({ to: '/settings/$section', params: { section: 'model' } })
  },
})

const settings = createRoute({
  getParentRoute: () => frame,
  path: '/settings/$section',
  component: function Settings() {
    const section = settingsSection.catch('model').parse(settings.useParams().section)
    return <SettingsPage section={section} />
  },
})

const routeTree = root.addChildren([
  firstRun,
  frame.addChildren([launcher, starting, conversation, search, sandboxes, settingsStart, settings]),
])

/** Nothing stored and nothing done yet. A failing service is no first run: the launcher shows what is wrong. */
async function isFirstRun(queryClient: QueryClient, client: Client): Promise<boolean> {
  try {
    if ((await queryClient.ensureQueryData(settingsQuery(client))) !== null) return false
    const { pages } = await queryClient.ensureInfiniteQueryData(conversationListQuery(client, ''))
    return pages.every(({ items }) => items.length === 0)
  } catch {
    return false
  }
}

/** Addresses are kept behind the `#`: the window's files may come from `app://` or from the service alike. */
export function createAppRouter(context: RouterContext) {
  return createRouter({
    routeTree,
    context,
    history: createHashHistory(),
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  })
}

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
