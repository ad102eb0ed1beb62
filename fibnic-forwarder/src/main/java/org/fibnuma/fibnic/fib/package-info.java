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
 * There is one writer, and readers take no lock. Each address goes from its old adjacency to its new one in one store.
 * Removed memory and codes are reused only when {@link org.fibnuma.fibnic.fib.ReaderEpochs} guarantees that no reader
 * can hold them. The routes themselves are in the RIB; the trie has one entry for each prefix that the FIB looks up.
 * <pre>
 *  worker threads                                   control thread
 *
 *  Ipv6Fib.lookup                                   Ipv6Fib.announce, withdraw
 *    |                                                |
 *    v                                                v
 *  Ipv6FibTable  one entry for each /24, and     &lt;--  PrefixTrie  prefixes up to /24
 *                nodes of 8 bits below them      &lt;--  Ipv6Nodes   longer prefixes, a list for each node
 *                                                     |
 *                                                     v
 *                                                   Ipv6FibMemory  free blocks, growth of the table
 * </pre>
 * The IPv6 table has an entry for each value of the first 24 bits. Below it are nodes of 256 cells, stored as runs of
 * equal cells. A cell always has the result for its addresses, also where a shorter prefix covers them, so that one
 * store changes it. A node is replaced as a whole by one reference, or changed in place where its runs stay as they
 * are.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.fib;
