/**
 * Traffic at the rate that one core can make: an XDP program that the kernel runs on frames of its own and sends to
 * a device. {@link org.fibnuma.bench.traffic.TrafficGenerator} drives it,
 * {@link org.fibnuma.bench.traffic.TrafficProgram} is what it does to each frame.
 */
package org.fibnuma.bench.traffic;
