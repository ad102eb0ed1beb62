/**
 * The kernel's view of the network as events: links, addresses, neighbours and routes; and its policy for packets that
 * it forwards. The netlink implementation is in the binding module.
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.kernel;
