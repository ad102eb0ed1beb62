/** Lookups over TCP: the server of an endpoint and its client, on Netty. */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.naming.socket;
