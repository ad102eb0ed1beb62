/**
 * The kernel's view of the network as events: links, addresses, neighbours and routes; and its policy for packets that
 * it forwards. The binding module speaks netlink; here are only its meanings.
 */
package org.fibnuma.core.kernel;
