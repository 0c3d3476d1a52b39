// What a kind of agent can do.

/** `steer`: reads messages during a turn. `tools`: calls our tools. `output`: gives output by a schema. */
export type Capability =
  | 'steer'
  | 'interrupt'
  | 'permission'
  | 'tools'
  | 'output'
  | 'usage'
  /** Reports what its usage costs. That of others is estimated where a price is known. */
  | 'cost'
  | 'resume'
  /** Has exactly the tools of its task, and asks before it uses them if it has to. */
  | 'heeds'
  /** Gets the repository's instructions for agents from us: it does not read them itself. */
  | 'instructions'
  /** Continues a session that a person began by hand. */
  | 'adopt'
  /** Sees images that its prompt carries. */
  | 'images'
  /** Starts MCP servers that it is given, */
  | 'mcp'
  /** has skills that it is given, */
  | 'skills'
  /** and runs the hooks of a repository's settings. */
  | 'hooks'
  /** Compacts its session on request, between two turns. */
  | 'compact'
  /** Ends on request, without a signal. */
  | 'end';
