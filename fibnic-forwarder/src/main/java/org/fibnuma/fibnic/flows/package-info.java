/**
 * Learns which connections the host's packet filters accept, so that the router forwards their packets. Control thread.
 * <pre>
 *  binding.netfilter.FlowLabelTable   labels connections in the kernel, behind all chains
 *          |
 *          v events, entries
 *  binding.conntrack  --> FlowFollower --> core.flow.FlowTable --> XDP programs, workers
 *          ^                   |
 *          +-------------------+ keep-alive
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.flows;
