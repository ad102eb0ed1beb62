/** The echo of Netty over remote memory and over TCP: one program, other event loops and channel classes. */
@org.fibnuma.core.Internal
package org.fibnuma.bench.stream.netty;
