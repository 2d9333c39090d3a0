// Imports run one way: main → server, app → api | jobs | cli | demo → domain → platform. Beside them stands conformance,
// which the command line alone imports and which imports nobody.
// Inside the domain too: each package imports only those that stand before it here (docs/architecture.md says why).
const packages = [
  'kernel',
  'journal',
  'catalogue',
  'sites',
  'deals',
  'tenants',
  'billing',
  'agents',
  'delivery',
  'data',
  'operations',
]

// In the console: main → router → routes → pages → shell → parts of pages → ui → api → texts. From the server it has types of
// what /console/api takes and answers, and these files, which the domain and its pages share.
const shared = [
  'src/domain/data/imports/field-labels',
  'src/domain/deals/sale/fitting',
  'src/domain/deals/storage/usage',
  'src/domain/kernel/folder',
].map((file) => `^${file}\\.ts$`)

const layer = (name, path, forbidden, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path },
  to: { path: forbidden },
})

const above = (i) => packages.slice(i + 1).join('|')

module.exports = {
  forbidden: [
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    layer(
      'platform-knows-nothing',
      '^src/platform/',
      '^src/(?!platform/)',
      'The platform has no business words.',
    ),
    layer('domain-knows-no-face', '^src/domain/', '^src/(?!domain/|platform/)', 'No HTTP in the domain.'),
    ...packages
      .slice(0, -1)
      .map((name, i) =>
        layer(
          `${name}-imports-downwards`,
          `^src/domain/${name}/`,
          `^src/domain/(${above(i)})/`,
          `What stands above ${name} builds on it.`,
        ),
      ),
    layer(
      'domain-in-packages',
      '^src/',
      `^src/domain/(?!(${packages.join('|')})/)`,
      'A file of the domain stands in one of its packages.',
    ),
    layer(
      'face-stays-below',
      '^src/(api|jobs|cli|demo)/',
      '^src/(main|app|server|parts|prepare|leader-work|recurring-jobs)\\.ts|^src/cluster/',
      'Faces do not import what builds them.',
    ),
    layer(
      'conformance-knows-no-server',
      '^src/conformance/',
      '^src/(?!conformance/)',
      'What judges any server speaks HTTP to ours too.',
    ),
    {
      name: 'conformance-is-for-the-command-line',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(cli|conformance)/' },
      to: { path: '^src/conformance/' },
    },
    layer('api-is-a-face', '^src/api/', '^src/(jobs|cli|demo)/', 'Siblings do not import each other.'),
    layer('cli-is-a-face', '^src/cli/', '^src/(api|jobs|demo)/', 'Siblings do not import each other.'),
    layer('jobs-are-a-face', '^src/jobs/', '^src/(api|cli|demo)/', 'Siblings do not import each other.'),
    layer('demo-is-a-face', '^src/demo/', '^src/(api|cli|jobs)/', 'Siblings do not import each other.'),
    {
      name: 'faces-apart',
      comment: 'Each interface is a room of its own; what they share is in api/http.',
      severity: 'error',
      from: { path: '^src/api/(?!http/)([^/]+)/' },
      to: { path: '^src/api/(?!http/)([^/]+)/', pathNot: '^src/api/$1/' },
    },
    layer('texts-are-words', '^web/texts/', '^web/(?!texts/)', 'Words come from nowhere.'),
    layer(
      'console-api-calls',
      '^web/api/',
      '^web/(?!api/|texts/)',
      'How the server is called knows no page.',
    ),
    layer('ui-knows-no-page', '^web/ui/', '^web/(?!ui/|api/|texts/)', 'The design system knows no page.'),
    layer(
      'parts-know-no-page',
      '^web/(?!pages/|shell/|routes/|[^/]+$)',
      '^web/(pages|shell|routes)/|^web/(main|router)\\.tsx$',
      'What several pages share knows none of them.',
    ),
    layer(
      'shell-knows-no-page',
      '^web/shell/',
      '^web/(pages|routes)/|^web/(main|router)\\.tsx$',
      'Pages stand in it.',
    ),
    layer(
      'pages-know-no-route',
      '^web/pages/',
      '^web/routes/|^web/(main|router)\\.tsx$',
      'Routes lead to pages.',
    ),
    {
      name: 'no-circle-of-pages',
      severity: 'error',
      scope: 'folder',
      from: { path: '^web/' },
      to: { circular: true },
    },
    {
      name: 'console-takes-types',
      comment: 'Of the server, pages know what /console/api takes and answers, as types.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/', pathNot: ['^src/api/console/', ...shared] },
    },
    {
      name: 'console-takes-only-types',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/', pathNot: shared, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'shared-takes-only-types',
      comment: 'What pages share with the domain brings nothing of the server with it.',
      severity: 'error',
      from: { path: shared },
      to: { dependencyTypesNot: ['type-only'] },
    },
    layer('sdk-stands-alone', '^sdk/src/', '^(?!sdk/src/)', 'It is packed by itself, for every runtime.'),
    layer('server-knows-no-page', '^src/', '^(web|site)/', 'Pages talk HTTP.'),
    layer('nothing-imports-tests', '^(src|bench|scripts|site|web|sdk)/', '^test/', 'Tests are outermost.'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^node:|^(web|site)/dist/' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
}
