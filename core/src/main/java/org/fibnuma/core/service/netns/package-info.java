/**
 * Hosts in network namespaces of this machine, for demonstrations and tests.
 * <p>
 * {@link org.fibnuma.core.service.netns.Host} is a namespace, {@link org.fibnuma.core.service.netns.Host#connect} adds
 * a veth pair between two of them, and {@link org.fibnuma.core.service.netns.ChildProcess} is a program that runs in
 * one. All of it ends with the process that made it, also if that process is killed. It needs root, iproute2 and
 * util-linux.
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.service.netns;
