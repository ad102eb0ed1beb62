/**
 * Runs code in another network namespace (network_namespaces(7)): a thread enters the namespace of a file such as
 * {@code /proc/PID/ns/net} with setns(2), and sockets that it opens there stay in that namespace.
 * {@link org.fibnuma.binding.netns.NamespaceEntry} implements {@link org.fibnuma.core.service.netns.NamespaceAccess}
 * for demonstrations, benchmarks and tests without this module on their compile path.
 */
@org.fibnuma.core.Internal
package org.fibnuma.binding.netns;
