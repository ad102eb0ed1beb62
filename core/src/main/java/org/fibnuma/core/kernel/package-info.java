/**
 * The kernel's view of the network as events: links, addresses, neighbours and routes. The binding module speaks
 * rtnetlink; here are only its meanings.
 */
package org.fibnuma.core.kernel;
