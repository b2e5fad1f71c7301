// Domain. What an operator may write about an assistant of the driver `langgraph`: a graph on a LangGraph-compatible server.
import type { Settings } from '../settings';
import { secretName } from './environment-names';
import { isWebAddress } from './web-address';

export interface LangGraphSettings {
  readonly kind: 'langgraph';
  /** Of the server, without a path of its API. */
  readonly url: string;
  /** The server's own name for it: a graph, or the id of an assistant there. */
  readonly graph: string;
  /** The variable of the operator's environment that holds the key of the API. Null: the server asks for none. */
  readonly apiKey: string | null;
  /** How many steps the graph may take; null leaves it to the server. */
  readonly recursionLimit: number | null;
  /** How long the server may take for one answer of its API. */
  readonly answerSeconds: number;
}

export const LANGGRAPH_KEYS = ['url', 'graph', 'api_key', 'recursion_limit', 'answer_seconds'] as const;

export function langGraphFrom(settings: Settings): LangGraphSettings {
  const url = settings.text('url', 2048);
  if (url === null || !isWebAddress(url)) {
    return settings.refuse('url', 'must be the address of a LangGraph server, such as https://graphs.example');
  }
  const graph = settings.text('graph', 256);
  if (graph === null) return settings.refuse('graph', 'must be the name of a graph, or the id of an assistant, there');
  return {
    kind: 'langgraph',
    url: url.replace(/\/+$/, ''),
    graph,
    apiKey: secretName(settings, 'api_key'),
    recursionLimit: settings.whole('recursion_limit', 1, 1000),
    answerSeconds: settings.whole('answer_seconds', 1, 3600) ?? 30,
  };
}
