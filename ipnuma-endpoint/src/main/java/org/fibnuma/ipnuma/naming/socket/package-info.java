/** Names over TCP: the server of an endpoint and the client that asks it, on Netty. */
package org.fibnuma.ipnuma.naming.socket;
