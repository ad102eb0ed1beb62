/** The echo of Netty over remote memory and over TCP: one program, other event loops and channel classes. */
package org.fibnuma.bench.stream.netty;
