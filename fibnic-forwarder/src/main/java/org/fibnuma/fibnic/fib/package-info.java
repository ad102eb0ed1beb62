/**
 * The forwarding table: from a destination address to an adjacency.
 * <pre>
 *  worker threads                                   control thread
 *
 *  Ipv4Fib.lookup                                   Ipv4Fib.announce, withdraw
 *    |                                                |
 *    v                                                v
 *  Ipv4FibTable  one code for each /24 (FIBNIC) &lt;-- RangePainter --&gt; PrefixTrie  every prefix, 4 bytes each
 *    |                                         &lt;-- NextHopCodes
 *    v "longer prefixes below"                        |
 *  LongerPrefixBlocks  256 adjacencies for a /24 &lt;----+
 * </pre>
 * One writer and lock-free readers: each address goes from its old adjacency to its new one in one store, and what is
 * removed from the tables is reused only when {@link org.fibnuma.fibnic.fib.ReaderEpochs} guarantees that no reader can
 * hold it. The routes themselves are in the RIB; the trie has one entry for each prefix that the FIB looks up. IPv6 has
 * its place beside {@link org.fibnuma.fibnic.fib.Ipv4Fib}.
 */
package org.fibnuma.fibnic.fib;
