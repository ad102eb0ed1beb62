/** Lossless Ethernet: flow control and congestion notification, as a library for the router and the endpoint. */
package org.fibnuma.pfc;
