/**
 * The kernel's connection tracking over nfnetlink (ctnetlink): reads entries, follows their changes, and keeps entries
 * alive whose packets the kernel does not see.
 * <pre>
 *  kernel --> ConntrackEvents --+                     new, updated and destroyed entries, as they change
 *                               +--> ConntrackEntry
 *  kernel &lt;-> Conntrack --------+                     one entry, or all with a status
 *                 |
 *                 +--> ConntrackBatch --> kernel      timeouts, TCP flags and labels of many entries
 * </pre>
 * Objects are opened in the network namespace whose connections they concern. They need CAP_NET_ADMIN.
 */
@org.fibnuma.core.Internal
package org.fibnuma.binding.conntrack;
