/** Lossless Ethernet: flow control and congestion notification, as a library for the router and the endpoint. */
@org.fibnuma.core.Internal
package org.fibnuma.pfc;
