import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router';
import { arraysSearch } from '../features/arrays/address';
import { compareSearch } from '../features/compare/search';
import { designsSearch } from '../features/designs/search';
import { besideSearch } from '../features/history/search';
import { modelSearch } from '../features/models/address';
import { studiesQueryOptions } from '../features/studies/api/get-studies';
import { newStudySearch } from '../features/studies/search';
import { StudiesPage } from '../features/studies/components/studies-page';
import {
  formerTool,
  formerModel,
  isTool,
  toolSearch,
  type ToolSearch,
} from '../features/tools/search';
import { OnToStudies, RouteFailed, RouteMissing } from './route-states';
import { Shell } from './shell';

const root = createRootRoute({ component: Shell, notFoundComponent: RouteMissing });

const studies = (client: QueryClient) =>
  createRoute({
    getParentRoute: () => root,
    path: '/',
    component: StudiesPage,
    // Asked for together with the session, not after it.
    loader: () => void client.prefetchInfiniteQuery(studiesQueryOptions()),
  });

const studiesNamed = createRoute({
  getParentRoute: () => root,
  path: '/studies',
  beforeLoad: () => {
    throw redirect({ to: '/', replace: true });
  },
});

const newStudy = createRoute({
  getParentRoute: () => root,
  path: '/studies/new',
  validateSearch: newStudySearch,
  component: lazyRouteComponent(() => import('./new-study-page'), 'NewStudyRoute'),
});

export const study = createRoute({
  getParentRoute: () => root,
  path: '/studies/$studyId',
  component: lazyRouteComponent(() => import('./study-layout'), 'StudyLayout'),
});

const studyIndex = createRoute({
  getParentRoute: () => study,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/studies/$studyId/compare', params, replace: true });
  },
});

const designs = createRoute({
  getParentRoute: () => study,
  path: 'designs',
  validateSearch: designsSearch,
  component: lazyRouteComponent(() => import('./study-pages/designs'), 'DesignsRoute'),
});

const compare = createRoute({
  getParentRoute: () => study,
  path: 'compare',
  validateSearch: compareSearch,
  component: lazyRouteComponent(() => import('./study-pages/compare'), 'CompareRoute'),
});

const exploreDesigns = createRoute({
  getParentRoute: () => study,
  path: 'catalogue',
  component: lazyRouteComponent(() => import('./study-pages/explore'), 'ExploreRoute'),
});

/** Where tools stood before they had a place of their own. */
const explore = createRoute({
  getParentRoute: () => study,
  path: 'explore',
  validateSearch: (search: Record<string, unknown>) => ({ view: search.view, s: search.s }),
  beforeLoad: ({ params, search }) => {
    const tool = formerTool(search.view);
    if (tool === null) throw redirect({ to: '/studies/$studyId/compare', params, replace: true });
    const kept = toolSearch({ study: params.studyId, s: search.s });
    throw redirect({ to: '/tools/$tool', params: { tool }, search: kept, replace: true });
  },
});

const plan = createRoute({
  getParentRoute: () => study,
  path: 'plan',
  validateSearch: (search: Record<string, unknown>): Pick<ToolSearch, 's'> => ({
    s: toolSearch(search).s,
  }),
  component: lazyRouteComponent(() => import('./study-pages/plan'), 'PlanRoute'),
});

const history = createRoute({
  getParentRoute: () => study,
  path: 'history',
  component: lazyRouteComponent(() => import('./study-pages/history'), 'HistoryRoute'),
});

const beside = createRoute({
  getParentRoute: () => study,
  path: 'history/beside',
  validateSearch: besideSearch,
  component: lazyRouteComponent(() => import('./study-pages/history'), 'BesideRoute'),
});

const storedRun = createRoute({
  getParentRoute: () => study,
  path: 'history/$runId',
  component: lazyRouteComponent(() => import('./study-pages/history'), 'StoredRunRoute'),
});

const report = createRoute({
  getParentRoute: () => study,
  path: 'report',
  component: lazyRouteComponent(() => import('./study-pages/report'), 'ReportRoute'),
});

const comments = createRoute({
  getParentRoute: () => study,
  path: 'comments',
  validateSearch: (search: Record<string, unknown>): { about?: string } =>
    typeof search.about === 'string' ? { about: search.about.slice(0, 200) } : {},
  component: lazyRouteComponent(() => import('./study-pages/comments'), 'CommentsRoute'),
});

const outlook = createRoute({
  getParentRoute: () => root,
  path: '/outlook',
  component: lazyRouteComponent(() => import('./pages'), 'OutlookRoute'),
});

const catalogue = createRoute({
  getParentRoute: () => root,
  path: '/catalogue',
  validateSearch: (
    search: Record<string, unknown>,
  ): { kind?: string; q?: string; entry?: string } => {
    const text = (key: string) => (typeof search[key] === 'string' ? { [key]: search[key] } : {});
    return { ...text('kind'), ...text('q'), ...text('entry') };
  },
  component: lazyRouteComponent(() => import('./pages'), 'CatalogueRoute'),
});

const arrays = createRoute({
  getParentRoute: () => root,
  path: '/tools/arrays',
  validateSearch: arraysSearch,
  component: lazyRouteComponent(() => import('./arrays-page'), 'ArraysRoute'),
});

const arraysBefore = createRoute({
  getParentRoute: () => root,
  path: '/arrays',
  validateSearch: arraysSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/tools/arrays', search, replace: true });
  },
});

const tools = createRoute({
  getParentRoute: () => root,
  path: '/tools',
  component: lazyRouteComponent(() => import('./tools-pages'), 'ToolsRoute'),
});

const tool = createRoute({
  getParentRoute: () => root,
  path: '/tools/$tool',
  validateSearch: toolSearch,
  beforeLoad: ({ params, search }) => {
    const modelId = formerModel(params.tool, search);
    if (modelId) throw redirect({ to: '/method/models/$modelId', params: { modelId } });
    if (!isTool(params.tool)) throw redirect({ to: '/tools', replace: true });
  },
  component: lazyRouteComponent(() => import('./tools-pages'), 'ToolRoute'),
});

const traces = createRoute({
  getParentRoute: () => root,
  path: '/traces',
  component: lazyRouteComponent(() => import('./traces-pages'), 'TracesRoute'),
});

const trace = createRoute({
  getParentRoute: () => root,
  path: '/traces/$traceId',
  component: lazyRouteComponent(() => import('./traces-pages'), 'TraceRoute'),
});

const imports = createRoute({
  getParentRoute: () => root,
  path: '/imports',
  component: lazyRouteComponent(() => import('./imports-pages'), 'ImportsRoute'),
});

const oneImport = createRoute({
  getParentRoute: () => root,
  path: '/imports/$importId',
  component: lazyRouteComponent(() => import('./imports-pages'), 'ImportRoute'),
});

const method = createRoute({
  getParentRoute: () => root,
  path: '/method',
  component: lazyRouteComponent(() => import('./pages'), 'MethodRoute'),
});

const paper = createRoute({
  getParentRoute: () => root,
  path: '/method/papers/$paperId',
  component: lazyRouteComponent(() => import('./pages'), 'PaperRoute'),
});

const model = createRoute({
  getParentRoute: () => root,
  path: '/method/models/$modelId',
  validateSearch: modelSearch,
  component: lazyRouteComponent(() => import('./pages'), 'ModelRoute'),
});

const modelsBefore = createRoute({
  getParentRoute: () => root,
  path: '/models',
  beforeLoad: () => {
    throw redirect({ to: '/method', replace: true });
  },
});

const modelBefore = createRoute({
  getParentRoute: () => root,
  path: '/models/$modelId',
  validateSearch: modelSearch,
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/method/models/$modelId', params, search, replace: true });
  },
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages'), 'SettingsRoute'),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  component: lazyRouteComponent(() => import('./pages'), 'AuditRoute'),
});

const mail = createRoute({
  getParentRoute: () => root,
  path: '/mail',
  component: lazyRouteComponent(() => import('./pages'), 'MailRoute'),
});

/** Where the link of the start leads: the first page, which takes the code that it carries. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  beforeLoad: () => {
    throw redirect({ to: '/', hash: true, replace: true });
  },
});

/** Drawn by the shell, with or without a session. */
const join = createRoute({ getParentRoute: () => root, path: '/join' });
const welcome = createRoute({ getParentRoute: () => root, path: '/welcome' });
const shared = createRoute({ getParentRoute: () => root, path: '/shared' });
/** Where a sign-in provider leads back to; who is signed in goes on. */
const openId = createRoute({ getParentRoute: () => root, path: '/openid', component: OnToStudies });
const saml = createRoute({ getParentRoute: () => root, path: '/saml', component: OnToStudies });

function routeTree(client: QueryClient) {
  return root.addChildren([
    studies(client),
    studiesNamed,
    newStudy,
    study.addChildren([
      studyIndex,
      designs,
      compare,
      exploreDesigns,
      explore,
      plan,
      history,
      beside,
      storedRun,
      comments,
      report,
    ]),
    tools,
    tool,
    arrays,
    arraysBefore,
    outlook,
    catalogue,
    traces,
    trace,
    imports,
    oneImport,
    method,
    paper,
    model,
    modelsBefore,
    modelBefore,
    settings,
    signIn,
    audit,
    mail,
    join,
    welcome,
    shared,
    openId,
    saml,
  ]);
}

export function makeRouter(client: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree: routeTree(client),
    history,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: RouteFailed,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
