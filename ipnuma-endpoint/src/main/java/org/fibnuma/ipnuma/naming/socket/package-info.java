/** Lookups over TCP: the server of an endpoint and its client, on Netty. */
package org.fibnuma.ipnuma.naming.socket;
