import type { Agent, AgentOptions } from 'node:https'
import type { Proxy } from './proxy.ts'

/**
 * An agent whose connections go through a proxy. Node's module for TLS is only loaded where it is used.
 *
 * @param deadlineMs how long making a connection may take, milliseconds
 */
export const agentThrough = async (
  proxy: Proxy,
  deadlineMs: number,
  options: AgentOptions,
): Promise<Agent> => {
  const { ProxyAgent } = await import('./proxy-agent.ts')
  return new ProxyAgent(proxy, deadlineMs, options)
}
