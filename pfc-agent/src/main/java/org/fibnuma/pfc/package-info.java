/**
 * Lossless Ethernet: flow control, congestion notification and deadlock-free routing, as a library for the router and
 * the endpoint.
 */
package org.fibnuma.pfc;
