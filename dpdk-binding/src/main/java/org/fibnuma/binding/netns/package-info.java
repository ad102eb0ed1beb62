/**
 * Runs code in another network namespace (network_namespaces(7)): a thread enters the namespace of a file such as
 * {@code /proc/PID/ns/net} with setns(2), and sockets that it opens there stay in that namespace.
 * {@link org.fibnuma.binding.netns.NamespaceEntry} implements {@link org.fibnuma.core.service.netns.NamespaceAccess},
 * by which demonstrations, benches and tests without the binding module on their compile path open ports in several
 * namespaces from one process.
 */
package org.fibnuma.binding.netns;
