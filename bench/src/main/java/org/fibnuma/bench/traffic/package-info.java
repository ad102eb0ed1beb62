/**
 * Traffic at the rate that one core can make. A {@link org.fibnuma.bench.traffic.TrafficSender} writes frames and
 * gives them to a port, over AF_XDP or in memory; a {@link org.fibnuma.bench.traffic.TrafficGenerator} does that on a
 * thread of its own until it is closed.
 */
package org.fibnuma.bench.traffic;
